// A text without end by a model of 256 characters. Beside the model stands a cache for each of its layers: the first four
// tokens, which its attention leans on, and the last 252. Positions count inside it, so that the model never meets a
// distance it was not trained for, and memory stays as it is. node 9-without-end.js --characters 20000 writes on.
import { parseArgs } from "node:util";
import { AutoModelForCausalLM, AutoTokenizer, Tensor } from "@huggingface/transformers";
import { init } from "posenc";
import { useLocalModels } from "./local.js";
import { drawFrom } from "./measure.js";

const { values } = parseArgs({ options: { characters: { type: "string", default: "5000" } } });

useLocalModels();
const pe = await init();
const tokenizer = await AutoTokenizer.from_pretrained("bible");
const model = await AutoModelForCausalLM.from_pretrained("bible", { dtype: "fp16" });
const { num_hidden_layers: layers, num_key_value_heads: heads, head_dim: dim } = model.config;
const rope = pe.fromConfig(model.config, { family: "rotary" });
const caches = Array.from({ length: layers }, () => pe.cache({ heads, dim, policy: { window: 252, sinks: 4 } }));

const int64 = (numbers) => new Tensor("int64", BigInt64Array.from(numbers, BigInt), [1, numbers.length]);
const tensor = ({ data, dims }) => new Tensor("float32", data, dims);

/** Logits of the last of these tokens. The model turns what is new; the caches turn what is old. */
async function logitsAfter(ids) {
  const past = caches.map((cache) => cache.read({ encoding: rope }));
  const first = past[0].k.dims[2];
  const positions = ids.map((_, i) => first + i);
  const { logits, ...present } = await model.forward({
    input_ids: int64(ids),
    attention_mask: int64(new Array(first + ids.length).fill(1)),
    position_ids: int64(positions),
    past_key_values: Object.fromEntries(
      past.flatMap(({ k, v }, layer) => [
        [`past_key_values.${layer}.key`, tensor(k)],
        [`past_key_values.${layer}.value`, tensor(v)],
      ]),
    ),
  });
  caches.forEach((cache, layer) => {
    const [k, v] = ["key", "value"].map((name) => newest(present[`present.${layer}.${name}`], ids.length));
    // The cache takes keys as they were before the model turned them.
    cache.append(rope.apply(k, { offset: first, inverse: true }), v);
  });
  return logits.data.slice(-logits.dims[2]);
}

/** The last `count` rows of each head, [1, heads, all, dim]. */
function newest({ data, dims }, count) {
  const [, , all, width] = dims;
  const rows = new Float32Array(heads * count * width);
  for (let head = 0; head < heads; head++)
    rows.set(data.subarray(((head + 1) * all - count) * width, (head + 1) * all * width), head * count * width);
  return { data: rows, dims: [1, heads, count, width] };
}

const draw = drawFrom(7);
let ids = Array.from(tokenizer("1 In the beginning").input_ids.data, Number);
const text = [];
const memory = [];
while (text.length < Number(values.characters)) {
  ids = [draw(await logitsAfter(ids), 0.6)];
  text.push(ids[0]);
  if (text.length % 1000 === 0) memory.push(pe.liveBytes);
}
console.log(tokenizer.decode(text));
console.log(
  `${caches[0].length} of ${text.length} characters are in the cache; its bytes, each 1000: ${memory.join(" ")}`,
);

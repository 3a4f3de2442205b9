// How much is lost where texts meet that were read alone: node seams.js [--texts 3] [--length 72] [--windows 60]
// Windows of the held-out text are cut into texts, each is read alone and saved, and they are spliced. Loss: of the 24 characters
// behind them. Keys: 16 random letters in the first text; how many the model says when the first four come again at the end.
import { parseArgs } from "node:util";
import { AutoModelForCausalLM, Tensor } from "@huggingface/transformers";
import { init } from "posenc";
import { openCache, saveCache, spliceCache } from "posenc/cache-file";
import { bibleText } from "./models/bible.js";
import { useLocalModels } from "./local.js";
import { logarithms, lossOf, needlesFound } from "./measure.js";

const number = (fallback) => ({ type: "string", default: String(fallback) });
const { values } = parseArgs({ options: { texts: number(3), length: number(72), windows: number(60) } });
const [texts, length, windows] = [values.texts, values.length, values.windows].map(Number);

useLocalModels();
const pe = await init({ parts: ["config"] });
const reader = await AutoModelForCausalLM.from_pretrained("bible", { dtype: "fp16" });
const encoding = await pe.layers(reader.config);
const text = await bibleText();

const int64 = (ids) => new Tensor("int64", BigInt64Array.from(ids, BigInt), [1, ids.length]);
async function read(ids, past) {
  const before = past ? past["past_key_values.0.key"].dims[2] : 0;
  return reader.forward({
    input_ids: int64(ids),
    attention_mask: int64(Array(before + ids.length).fill(1)),
    position_ids: int64(ids.map((_, i) => before + i)),
    ...(past && { past_key_values: past }),
  });
}
async function fileOf(ids) {
  const outputs = Object.entries(await read(ids)).filter(([name]) => name.startsWith("present."));
  const cache = Object.fromEntries(
    outputs.map(([name, tensor]) => [name.replace("present", "past_key_values"), tensor]),
  );
  return openCache(await saveCache(pe, cache, { encoding, tokens: ids }));
}

/** Logits of a window whose first texts are spliced; those of the spliced part are 0. `recompute` undefined: read at once. */
async function logitsOf(ids, recompute) {
  if (recompute === undefined) {
    const { logits } = await read(ids);
    return { data: logits.data, width: logits.dims[2] };
  }
  const spliced = texts * length;
  const parts = Array.from({ length: texts }, (_, i) => fileOf(ids.slice(i * length, (i + 1) * length)));
  const past = await spliceCache(pe, await Promise.all(parts), { encoding, Tensor, reader, recompute });
  const { logits } = await read(ids.slice(spliced), past);
  const width = logits.dims[2];
  const data = new Float32Array(ids.length * width);
  data.set(logits.data, spliced * width);
  return { data, width };
}

/** Mean Kullback–Leibler divergence of the characters behind the texts from those of reading at once. */
async function divergenceOf(recompute, behind) {
  let sum = 0;
  for (let i = 0; i < windows; i++) {
    const begin = i * Math.floor((text.length - texts * length - behind) / windows);
    const ids = text.slice(begin, begin + texts * length + behind);
    const both = [await logitsOf(ids), await logitsOf(ids, recompute)];
    for (let row = texts * length; row < ids.length; row++) {
      const [whole, spliced] = both.map((logits) => logarithms(logits, row));
      for (const [id, expected] of whole.entries()) sum += Math.exp(expected) * (expected - spliced[id]);
    }
  }
  return sum / windows / behind;
}

const behind = 24;
const rows = [["at once", undefined], ...[0, 0.05, 0.15, 0.3].map((share) => [`${100 * share} %`, share])];
for (const [name, recompute] of rows) {
  const logitsFor = (ids) => logitsOf(ids, recompute);
  const loss = await lossOf(logitsFor, text, texts * length + behind, windows, texts * length);
  const found = await needlesFound(logitsFor, text, texts * length - 32, windows);
  const divergence = recompute === undefined ? 0 : await divergenceOf(recompute, behind);
  console.log(
    `${name.padEnd(8)} loss ${loss.toFixed(3)}  divergence ${divergence.toFixed(4)}  keys ${(100 * found).toFixed(0)} %`,
  );
}

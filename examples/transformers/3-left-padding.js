// Two prompts of different length in one batch, the shorter padded on the left. The model counts: it says the number of a
// word's position. Padding must not count; positionIds sees to that where one runs the model oneself.
import { AutoModelForCausalLM, AutoTokenizer, Tensor, pipeline } from "@huggingface/transformers";
import { positionIds } from "posenc/transformers";
import { useLocalModels } from "./local.js";

useLocalModels();
const prompts = ["clap", "clap clap clap"];
const tokenizer = await AutoTokenizer.from_pretrained("counter");
const model = await AutoModelForCausalLM.from_pretrained("counter", { dtype: "fp32" });
tokenizer.padding_side = "left";
const batch = tokenizer(prompts, { padding: true });
const [rows, columns] = batch.input_ids.dims;

/** The word that is likeliest to come next, for each row. */
async function nextWords(position_ids) {
  const { logits } = await model({ ...batch, position_ids });
  const width = logits.dims.at(-1);
  return Array.from({ length: rows }, (_, row) => {
    const end = (row + 1) * columns * width;
    const last = logits.data.subarray(end - width, end);
    return tokenizer.decode([last.indexOf(Math.max(...last))]);
  });
}

const print = (what, words) => console.log(`${what}: ${words.map((word, i) => `${prompts[i]} -> ${word}`).join(", ")}`);

const naive = BigInt64Array.from({ length: rows * columns }, (_, i) => BigInt(i % columns));
print("ids 0, 1, 2 … for every row", await nextWords(new Tensor("int64", naive, [rows, columns])));

const ids = positionIds(batch.attention_mask);
console.log(
  "positionIds:",
  ids
    .tolist()
    .map((row) => row.join(" "))
    .join(" | "),
);
print("ids of posenc", await nextWords(ids));

// The pipeline makes them itself, and goes on counting from the cache.
const generator = await pipeline("text-generation", "counter", { dtype: "fp32" });
const texts = await generator(prompts, { max_new_tokens: 3 });
print(
  "the pipeline",
  texts.map(([{ generated_text: text }], i) => text.slice(prompts[i].length + 1)),
);

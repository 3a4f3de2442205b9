// Sixteen times the trained length, without training: a small language model that was trained on 256 characters goes on with a
// text of 3,900. As exported it writes nonsense; with ReRoPE in its graph, far characters have distances that it knows.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { env, pipeline } from "@huggingface/transformers";
import { init } from "posenc";
import { usePositions } from "posenc/transformers";
import { useLocalModels } from "./local.js";

useLocalModels();
const pe = await init();
const book = await readFile(join(env.localModelPath, "bible", "held-out.txt"), "utf8");

async function goOn(what) {
  const generator = await pipeline("text-generation", "bible", { dtype: "fp16" });
  const options = { max_new_tokens: 150, do_sample: false, return_full_text: false };
  const [{ generated_text: text }] = await generator(book.slice(0, 3900), options);
  const words = new Set(book.match(/[a-z]+/gi));
  const generated = text.match(/[a-z]+/gi) ?? [];
  console.log(`${what}: ${text.slice(0, 60).replaceAll(/\s+/g, " ")} …`);
  console.log(`  ${generated.filter((word) => words.has(word)).length} of ${generated.length} words are words`);
}

await goOn("as exported");
usePositions(env, pe, { bible: { remap: { kind: "rerope", window: 192 } } });
await goOn("ReRoPE");

// The same as 4, without a second folder: from a line before the pipeline on, transformers.js loads the model with YaRN in its
// graph. Of a model from the hub the cache goes on holding the original.
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
  const { rope_scaling, max_position_embeddings: longest } = generator.model.config;
  console.log(`${what}: ${rope_scaling?.rope_type ?? "plain"} rotations, up to ${longest} characters`);
  const options = { max_new_tokens: 150, do_sample: false, return_full_text: false };
  const [{ generated_text: text }] = await generator(book.slice(0, 850), options);
  const words = new Set(book.match(/[a-z]+/gi));
  const generated = text.match(/[a-z]+/gi) ?? [];
  console.log(`  ${generated.filter((word) => words.has(word)).length} of ${generated.length} words are words`);
}

const undo = usePositions(env, pe, { bible: { rotary: { kind: "rope-yarn", factor: 4, originalLength: 256 } } });
await goOn("with usePositions");
undo();
await goOn("undone");

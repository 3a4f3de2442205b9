// A Llama from a hub, as optimum exports it, at four times the length that it was trained for: the text falls apart. Loaded
// with YaRN in its file it goes on as it should. The pipeline and its code stay as they are.
import { readFile } from "node:fs/promises";
import { env, pipeline } from "@huggingface/transformers";
import { init } from "posenc";
import { usePositions } from "posenc/transformers";
import { useLocalModels } from "./local.js";

useLocalModels();
const pe = await init();

const book = await readFile(`${env.localModelPath}/bible/held-out.txt`, "utf8");
const words = new Set(book.match(/[a-z]+/gi));

async function goOn(name, length) {
  const generator = await pipeline("text-generation", "bible", { dtype: "fp16" });
  const options = { max_new_tokens: 150, do_sample: false, return_full_text: false };
  const [{ generated_text: text }] = await generator(book.slice(0, length), options);
  const said = text.match(/[a-z]+/gi) ?? [];
  const known = said.filter((word) => words.has(word));
  console.log(`${name}, behind ${length} characters: ${known.length} of ${said.length} words are words`);
  console.log(`  ${text.replaceAll("\n", " ")}`);
  console.log(`  made for ${generator.model.config.max_position_embeddings} characters`);
}

await goOn("as exported", 100);
await goOn("as exported", 850);

const undo = usePositions(env, pe, {
  bible: { rotary: { kind: "rope-yarn", factor: 4, originalLength: 256 } },
});
await goOn("with YaRN", 850);
undo();

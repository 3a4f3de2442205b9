// A Llama from a hub, as optimum exports it, at four times the length that it was trained for: the text falls apart. Its
// file with YaRN written into it goes on as it should. The pipeline and its code stay as they are.
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env, pipeline } from "@huggingface/transformers";
import { init } from "posenc";
import { openModel } from "posenc/onnx";
import { useLocalModels } from "./local.js";

useLocalModels();
const pe = await init();
const folder = (name) => join(env.localModelPath, name);

const book = await readFile(join(folder("bible"), "held-out.txt"), "utf8");
const words = new Set(book.match(/[a-z]+/gi));

async function goOn(name, length) {
  const generator = await pipeline("text-generation", name, { dtype: "fp16" });
  const options = { max_new_tokens: 150, do_sample: false, return_full_text: false };
  const [{ generated_text: text }] = await generator(book.slice(0, length), options);
  const generated = text.match(/[a-z]+/gi) ?? [];
  const known = generated.filter((word) => words.has(word));
  console.log(
    `${name} behind ${length} characters: ${known.length} of ${generated.length} words are words\n  ${text.replaceAll("\n", " ")}`,
  );
}

await goOn("bible", 100);
await goOn("bible", 850);

const file = join("onnx", "model_fp16.onnx");
const model = await openModel(await readFile(join(folder("bible"), file)));
for (const { family, form, layers, spec } of model.positions)
  console.log(family, form, "of layers", layers.join(), JSON.stringify(spec));
const changed = await model.rewrite(pe, { rotary: { kind: "rope-yarn", factor: 4, originalLength: 256 } });
for (const { name, what } of changed.changes) console.log(name, what);
await cp(folder("bible"), folder("bible-1024"), { recursive: true });
await writeFile(join(folder("bible-1024"), file), await changed.bytes());

await goOn("bible-1024", 850);

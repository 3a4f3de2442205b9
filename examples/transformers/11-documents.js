// Texts that are read once: their keys and values become files, and a question about them in any order is answered at once.
import { mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AutoModelForCausalLM, AutoTokenizer, DynamicCache, Tensor, env } from "@huggingface/transformers";
import { init } from "posenc";
import { openCache, saveCache, spliceCache } from "posenc/cache-file";
import { useLocalModels } from "./local.js";

useLocalModels();
const pe = await init({ parts: ["config"] });
const tokenizer = await AutoTokenizer.from_pretrained("bible");
const model = await AutoModelForCausalLM.from_pretrained("bible", { dtype: "fp16" });
const encoding = await pe.layers(model.config);
const book = await readFile(join(env.localModelPath, "bible", "held-out.txt"), "utf8");
const folder = await mkdtemp(join(tmpdir(), "posenc-documents-"));

// Read each text once. A page would write the file to OPFS or IndexedDB.
const texts = { first: book.slice(0, 60), second: book.slice(1000, 1060), third: book.slice(2000, 2060) };
for (const [name, text] of Object.entries(texts)) {
  const inputs = tokenizer(text);
  const past_key_values = new DynamicCache();
  await model.generate({ ...inputs, past_key_values, max_new_tokens: 1 });
  const tokens = inputs.input_ids.data;
  const file = await saveCache(pe, past_key_values, { encoding, tokens, type: "float16", model: { id: "bible" } });
  await writeFile(join(folder, name), new Uint8Array(await file.arrayBuffer()));
  console.log(`${name}: ${tokens.length} characters, ${(file.size / 1000).toFixed(0)} KB`);
}

/** A file on disk, which is read in parts. */
async function sourceOf(path) {
  const handle = await open(path);
  const { size } = await stat(path);
  const read = async (offset, length) => (await handle.read(new Uint8Array(length), 0, length, offset)).buffer;
  return { size, read, close: () => handle.close() };
}

// Later, in any order: nothing is read again but the beginnings, to connect the texts.
async function goOn(order, question) {
  const sources = await Promise.all(order.map((name) => sourceOf(join(folder, name))));
  const files = await Promise.all(sources.map((source) => openCache(source)));
  const options = { encoding, Tensor, reader: model, recompute: 0.15, model: { id: "bible" } };
  const past_key_values = new DynamicCache(await spliceCache(pe, files, options));
  const inputs = tokenizer(order.map((name) => texts[name]).join("") + question);
  const answer = await model.generate({ ...inputs, past_key_values, max_new_tokens: 40, do_sample: false });
  const [text] = tokenizer.batch_decode(answer.slice(null, [inputs.input_ids.dims[1], null]));
  console.log(`${order.join(", ")}: ${question}${text}`.replaceAll("\n", " "));
  await Promise.all(sources.map((source) => source.close()));
}

await goOn(["first", "second", "third"], " And the L");
await goOn(["third", "first"], " And the L");
await rm(folder, { recursive: true });

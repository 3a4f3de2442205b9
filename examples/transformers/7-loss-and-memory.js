// Does it help? A small language model, trained on 256 characters, reads 1024 that it has never seen: how surprised it is
// (loss), and whether it finds a key again that stood 1024 characters ago (memory). As exported, with YaRN, NTK and ReRoPE
// written into the file. node 7-loss-and-memory.js --windows 64 asks more.
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { init } from "posenc";
import { openModel } from "posenc/onnx";
import { bibleFile, bibleText, openBible } from "./models/bible.js";
import { lossOf, needlesFound } from "./measure.js";

const { values } = parseArgs({ options: { windows: { type: "string", default: "12" } } });
const windows = Number(values.windows);

const pe = await init();
const exported = await openModel(await readFile(bibleFile));
const text = await bibleText();

/** The model with other positions, and what becomes of it. */
async function measure(name, options, length) {
  const changed = await exported.rewrite(pe, options);
  const model = await openBible(await changed.bytes());
  const loss = await lossOf(model, text, length, windows);
  const found = await needlesFound(model, text, length, windows);
  console.log(`${name}: ${length} characters, loss ${loss.toFixed(2)}, ${Math.round(100 * found)} % of needles found`);
}

await measure("as exported", {}, 192);
await measure("as exported", {}, 1024);
await measure("YaRN × 4", { rotary: { kind: "rope-yarn", factor: 4, originalLength: 256 } }, 1024);
await measure("NTK × 16", { rotary: { kind: "rope-ntk", factor: 16 } }, 1024);
await measure("ReRoPE", { remap: { kind: "rerope", window: 192 } }, 1024);

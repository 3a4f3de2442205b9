// A ViT takes images of the one size that it was exported for. With another table of patches it takes others: the table is
// interpolated as its authors do, and the shapes in the graph that count patches follow.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env, pipeline, RawImage } from "@huggingface/transformers";
import { init } from "posenc";
import { openModel } from "posenc/onnx";
import { useLocalModels } from "./local.js";
import { fixture } from "./models/fixtures.js";

useLocalModels();
const pe = await init();
const size = 64;
const pixels = Uint8Array.from({ length: 3 * size * size }, (_, i) => (i * i) % 251);
const image = new RawImage(pixels, size, size, 3);

/** A model as it lies on a hub. */
async function publish(name, bytes) {
  const folder = join(env.localModelPath, name);
  await mkdir(join(folder, "onnx"), { recursive: true });
  const processor = { image_processor_type: "ViTImageProcessor", size: { height: size, width: size } };
  await writeFile(join(folder, "config.json"), await fixture("vit-tjs/config.json"));
  await writeFile(
    join(folder, "preprocessor_config.json"),
    JSON.stringify({ ...processor, do_resize: true, do_rescale: true }),
  );
  await writeFile(join(folder, "onnx", "model.onnx"), bytes);
}

async function classify(name) {
  const classifier = await pipeline("image-classification", name, { dtype: "fp32" });
  const [{ label, score }] = await classifier(image);
  return `${label} (${score.toFixed(2)})`;
}

const file = await fixture("vit-tjs/model.onnx");
await publish("vit", file);
const refusal = await classify("vit").catch(({ message }) => message);
console.log("as exported:", /Attempting to broadcast.*/.exec(refusal)[0]);

const model = await openModel(file);
const [table] = model.positions;
console.log(`${table.rows} rows: the class token's, and those of 4 × 4 patches of 8 pixels`);
const changed = await model.rewrite(pe, { grid: [8, 8] });
for (const { name, what } of changed.changes) console.log(name, what);
await publish("vit-64", await changed.bytes());
console.log("at 64 pixels:", await classify("vit-64"));

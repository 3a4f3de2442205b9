// The small language model in the folder bible, whose tokens are characters, in onnxruntime.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { InferenceSession, Tensor } from "onnxruntime-node";

const file = (name) => fileURLToPath(new URL(`./bible/${name}`, import.meta.url));

export const bibleFile = file("onnx/model_fp16.onnx");

/** Held-out text as ids. */
export async function bibleText() {
  const { vocab } = JSON.parse(await readFile(file("tokenizer.json"), "utf8")).model;
  return Array.from(await readFile(file("held-out.txt"), "utf8"), (character) => vocab[character]);
}

/** From ids to logits [ids, width], as `logitsOf(ids)`. */
export async function openBible(bytes) {
  const session = await InferenceSession.create(bytes, { logSeverityLevel: 3 });
  const int64 = (numbers) => new Tensor("int64", BigInt64Array.from(numbers, BigInt), [1, numbers.length]);
  const past = session.inputNames.filter((name) => name.startsWith("past"));
  const empty = Object.fromEntries(
    past.map((name) => [name, new Tensor("float32", new Float32Array(), [1, 4, 0, 32])]),
  );
  return async function logitsOf(ids) {
    const positions = ids.map((_, i) => i);
    const mask = ids.map(() => 1);
    const feeds = { input_ids: int64(ids), attention_mask: int64(mask), position_ids: int64(positions) };
    const { logits } = await session.run({ ...feeds, ...empty });
    return { data: logits.data, width: logits.dims[2] };
  };
}

// What users write, against the types of the real libraries: types.test.ts compiles it.
import { Tensor, pipeline } from "@huggingface/transformers";
import * as ort from "onnxruntime-node";
import { init } from "posenc";
import {
  addPositional,
  attentionBias,
  interpolatePositionEmbeddings,
  positionIds,
  rotaryInputs,
  withRotaryTables,
} from "posenc/transformers";

const pe = await init();
const sinusoidal = pe.create({ kind: "sinusoidal", dim: 8 });
const rope = pe.create({ kind: "rope", dim: 8 });
const alibi = pe.create({ kind: "alibi", heads: 2 });

const extractor = await pipeline("feature-extraction", "a model");
const words: Tensor = await extractor("dog bites man");
const attentionMask = new Tensor("int64", new BigInt64Array(2), [1, 2]);
const ofRuntime: ort.Tensor = new ort.Tensor("float32", new Float32Array(16), [1, 2, 8]);

export const sums: [Tensor, ort.Tensor] = [
  addPositional(words, sinusoidal, { mask: attentionMask }),
  addPositional(ofRuntime, sinusoidal, { offset: 3 }),
];
export const ids: Tensor = positionIds(attentionMask, { padding: 1 });
export const idsOfRuntime: ort.Tensor = positionIds(attentionMask, { Tensor: ort.Tensor });
export const plainIds: BigInt64Array = positionIds([0, 1, 1]).data;
export const caches: { cos: Tensor; sin: Tensor } = rotaryInputs(rope, { length: 8, Tensor });
export const rows: { cos: Tensor } = rotaryInputs<Tensor>(rope, { positions: ids, layout: "hf" });
export const bias: Tensor = attentionBias(alibi, { mask: attentionMask, causal: true, Tensor });
export const resized: Tensor = interpolatePositionEmbeddings(words, pe, { grid: [2, 2], prefix: 1 });

const generator = await pipeline("text-generation", "a model");
using undo = withRotaryTables(generator.model, rope);
undo();

// @ts-expect-error a rotation adds nothing
addPositional(words, rope);
// @ts-expect-error a typing slip
rotaryInputs(rope, { lenght: 8 });
// @ts-expect-error no model
withRotaryTables(generator.tokenizer, rope);

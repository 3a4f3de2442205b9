// What the article asks of a small language model: its sums taken apart, the four terms of its first layer, and the weights for the rest.
import { download } from "../../lab/download.ts";
import { LanguageModel, unknown } from "../../lab/language-model.ts";
import { place } from "../../lab/positions.ts";
import { idsOf } from "../../lab/read-along.ts";
import type { Posenc } from "../../lib/engine.svelte.ts";
import type { Report } from "../../lib/task.ts";
import { takeApart, type CutAnswers } from "./probe.ts";
import { cuts, length, type ModelName, width } from "./settings.ts";
import { termsOf, type FirstLayer, type HeadTerms } from "./terms.ts";

/** Characters of the text that the layer knows, and after them those that are examined. */
const knownCount = 2048;
const examinedCount = 512;

export interface ReadingTask {
  model: ModelName;
  /** Of weights and text. */
  address: string;
  bytes: number;
  text: string;
  trained: "sinusoidal" | "learned";
  vocabulary: string[];
}

export interface Reading {
  model: ModelName;
  examined: Int32Array;
  answers: CutAnswers[];
  terms: HeadTerms[];
  /** Vectors of the characters, as they are added to; rows of the positions; the first layer's weights. */
  characters: Float32Array;
  positions: Float32Array;
  layer: FirstLayer;
}

/** Only what the model knows. */
const knownIds = (text: string, vocabulary: string[]) => idsOf(text, vocabulary).filter((id) => id !== unknown);

const vectorsOf = (table: Float32Array, ids: Int32Array) =>
  Float32Array.from(
    { length: ids.length * width },
    (_, at) => table[ids[Math.floor(at / width)] * width + (at % width)],
  );

export function readModel(
  pe: Posenc,
  file: ArrayBuffer,
  text: string,
  task: Pick<ReadingTask, "model" | "trained" | "vocabulary">,
  report: (fraction: number) => void,
): Reading {
  const model = new LanguageModel(file);
  const placement = place(pe, task.trained, { name: "default" }, (name) => model.weight(name), length);
  const characters = model.weight("embed_tokens").values.map((value) => value * placement.embeddingScale);
  const positions = placement.rows!;
  const ids = knownIds(text, task.vocabulary);
  const [known, examined] = [ids.subarray(0, knownCount), ids.slice(knownCount, knownCount + examinedCount)];
  const answers = cuts.map((kept, index) => {
    report(index / cuts.length);
    return takeApart({ characters, positions, known, examined }, kept);
  });
  const own = (name: string) => model.weight(`layers.0.${name}`);
  const layer = { norm: own("input_layernorm"), q: own("self_attn.q_proj"), k: own("self_attn.k_proj") };
  const terms = termsOf(pe, vectorsOf(characters, examined.subarray(0, length)), positions, layer);
  return { model: task.model, examined, answers, terms, characters, positions, layer };
}

export async function readSums(pe: Posenc, task: ReadingTask, report: Report<never>): Promise<Reading> {
  const file = await download(task.address, (bytes) => report(0.5 * Math.min(1, bytes / task.bytes)));
  const text = await (await fetch(task.text)).text();
  return readModel(pe, file, text, task, (fraction) => report(0.5 + 0.5 * fraction));
}

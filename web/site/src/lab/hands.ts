// A model under the reader's hands: what it expects next, what one of its heads sees, with positions as the reader has set them.
import type { Posenc } from "../lib/engine.svelte.ts";
import type { Report } from "../lib/task.ts";
import { download } from "./download.ts";
import { LanguageModel, unknown, type Look } from "./language-model.ts";
import { embeddingScaleOf, place, ropeWithout, type Placement, type TrainedWith } from "./positions.ts";
import { idsOf } from "./read-along.ts";

export interface HandsTask {
  address: string;
  bytes: number;
  /** What the model was trained with, and what its positions are told by now. */
  trained: TrainedWith;
  used: TrainedWith;
  vocabulary: string[];
  text: string;
  /** The place of each character; those that the model writes follow the last. */
  positions: number[];
  layer: number;
  head: number;
  /** A pair of that head that does not turn; -1: all turn. RoPE only. */
  stillPair: number;
  /** How many characters the model goes on for. */
  more: number;
}

export interface Expectation {
  character: string;
  /** 0 … 1 */
  share: number;
}

export interface HandsResult {
  /** How little each character but the first was expected, in nats. */
  losses: Float32Array;
  /** The likeliest next characters, likeliest first. */
  next: Expectation[];
  /** How the model goes on, taking the likeliest each time. */
  continuation: string;
  /** Of the head that is looked at [characters, characters]. */
  weights: Float32Array;
}

const shownExpectations = 5;

function softmax(logits: Float32Array): Float32Array {
  const most = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = logits.map((value) => Math.exp(value - most));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((value) => value / sum);
}

function likeliest(shares: Float32Array, vocabulary: string[]): Expectation[] {
  return Array.from(shares, (share, id) => ({ character: vocabulary[id], share }))
    .sort((a, b) => b.share - a.share)
    .slice(0, shownExpectations);
}

const lossOf = (shares: Float32Array, id: number) => (id === unknown ? NaN : -Math.log(shares[id]));

/** Runs the model over characters at places, with a head that is looked at. */
function runner(pe: Posenc, model: LanguageModel, task: HandsTask) {
  return (ids: number[], positions: number[], take?: (weights: Float32Array) => void): Float32Array => {
    const placement: Placement = {
      ...place(pe, task.used, { name: "default" }, (name) => model.weight(name), positions),
      embeddingScale: embeddingScaleOf(task.trained),
    };
    const still = task.used === "rope" && task.stillPair >= 0 ? ropeWithout(pe, task.stillPair) : undefined;
    const look: Look = { layer: task.layer, head: task.head, take };
    if (still) look.attention = { ...placement.attention, encoding: still };
    try {
      return model.hidden(pe, ids, placement, undefined, look);
    } finally {
      placement.dispose();
      still?.dispose();
    }
  };
}

/** What the text as it stands comes to. */
function firstLook(task: HandsTask, model: LanguageModel, run: ReturnType<typeof runner>): HandsResult {
  const ids = [...idsOf(task.text, task.vocabulary)];
  let weights = new Float32Array();
  const logits = model.logits(run(ids, task.positions, (found) => (weights = found as Float32Array<ArrayBuffer>)));
  const size = logits.length / ids.length;
  const shares = ids.map((_, i) => softmax(logits.subarray(i * size, (i + 1) * size)));
  const losses = Float32Array.from(ids.slice(1), (id, i) => lossOf(shares[i], id));
  return { losses, next: likeliest(shares[ids.length - 1], task.vocabulary), continuation: "", weights };
}

export async function underHands(pe: Posenc, task: HandsTask, report: Report<HandsResult>): Promise<HandsResult> {
  const file = await download(task.address, (bytes) => report(0.5 * Math.min(1, bytes / task.bytes)));
  const model = new LanguageModel(file);
  const run = runner(pe, model, task);
  const result = firstLook(task, model, run);
  report(0.5, { ...result });
  const ids = [...idsOf(task.text, task.vocabulary)];
  const positions = [...task.positions];
  let expected = result.next;
  for (let step = 0; step < task.more; step += 1) {
    result.continuation += expected[0].character;
    report(0.5 + (0.5 * (step + 1)) / task.more, { ...result });
    if (step === task.more - 1) break;
    ids.push(task.vocabulary.indexOf(expected[0].character));
    positions.push(Math.max(...positions) + 1);
    const hidden = run(ids, positions);
    const width = hidden.length / ids.length;
    expected = likeliest(softmax(model.logits(hidden.subarray(hidden.length - width))), task.vocabulary);
  }
  return result;
}

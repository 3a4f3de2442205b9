// Runs a model and its rewritten self over the same text, one after the other: away from the page, and without a network but for
// onnxruntime itself.
import { Tensor } from "onnxruntime-web/wasm";
import { openModel, type Change, type OnnxModel, type RewriteOptions } from "posenc/onnx";
import { inFiles } from "../inspector/files.ts";
import { optionsOf, type ChangeRequest } from "../inspector/reading.ts";
import type { Posenc } from "../lib/engine.svelte.ts";
import { failureOf, type Failure } from "../lib/failure.ts";
import { serveTask, type Report } from "../lib/task.ts";
import { Decoder } from "./decoder.ts";
import { chunkOf, sizesOf } from "./estimate.ts";
import { measure, type Plan, type Side } from "./measure.ts";
import { openSession, startRuntime, type ExternalFile, type RuntimeFile } from "./runtime.ts";
import { openTokenizer, randomIds, typedIds, type TokenizerFiles, type Words } from "./tokens.ts";

export interface Task {
  runtime: RuntimeFile;
  model: File;
  beside: readonly File[];
  config?: string;
  change: ChangeRequest;
  words?: TokenizerFiles;
  /** The text; without a tokenizer ids, or nothing for random ones. */
  text: string;
  /** How many tokens are read at most. */
  tokens: number;
  more: number;
  /** The tokens, where the original has read them before: it does not run again. */
  known?: readonly number[];
}

export type Shown = Side & { text: string };

export interface Outcome {
  ids: readonly number[];
  /** The end of the text. */
  ending: string;
  original?: Shown;
  changed?: Shown;
  /** Why there are no attention weights. */
  blind?: Failure;
  rewritten?: { blob: Blob; changes: readonly Change[] };
}

class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

type Progress = (fraction: number) => void;

interface Bench {
  pe: Posenc;
  task: Task;
  model: OnnxModel;
  external: ExternalFile[];
  config: unknown;
  words: Words | undefined;
}

async function setUp(pe: Posenc, task: Task): Promise<Bench> {
  const find = inFiles(task.beside);
  const model = await openModel(task.model, { externalData: find });
  const external: ExternalFile[] = [];
  for (const path of model.externalLocations) {
    const file = await find(path);
    if (!file) throw new Refusal("missing-file", path);
    external.push({ path, data: new Uint8Array(await file.arrayBuffer()) });
  }
  const config: unknown = task.config ? JSON.parse(task.config) : undefined;
  return { pe, task, model, external, config, words: task.words && (await openTokenizer(task.words)) };
}

/** The file with attention weights among its outputs, if its graph has such. */
async function seeing({ pe, model }: Bench, options: RewriteOptions, isBlind: (failure: Failure) => void) {
  try {
    return await (await model.rewrite(pe, { ...options, attention: true })).bytes();
  } catch (error) {
    const plain = await (await model.rewrite(pe, options)).bytes();
    isBlind(failureOf(error));
    return plain;
  }
}

/** The tokens of the text. Random ones need to know how many there are: the decoder says it with its first answer. */
async function idsOf({ task, words }: Bench, decoder: Decoder): Promise<number[]> {
  const { width } = await decoder.read([0]);
  decoder.restart();
  const given = words ? words.encode(task.text) : typedIds(task.text);
  const ids = (words || given.length > 0 ? given : randomIds(task.tokens, width)).slice(0, task.tokens);
  const strange = ids.find((id) => id >= width);
  if (strange !== undefined) throw new Refusal("other-tokenizer", `${strange} ≥ ${width}`);
  if (ids.length < 2) throw new Refusal("no-text", `${ids.length}`);
  return ids;
}

const endsOf = (config: unknown): number[] =>
  [(config as { eos_token_id?: unknown } | undefined)?.eos_token_id].flat().filter((id) => typeof id === "number");

/** Of the shortest table of positions in the file. */
function rowsOf({ model }: Bench): number | undefined {
  const rows = model.positions.flatMap(({ rows: own, form }) => (own !== undefined && form !== "inputs" ? own : []));
  return rows.length ? Math.min(...rows) : undefined;
}

/** Runs one of the two; its session is gone afterwards, so that the other has its room. */
async function runOne(bench: Bench, bytes: Uint8Array, ids: readonly number[] | undefined, progress: Progress) {
  const session = await openSession(bytes, bench.external);
  try {
    const decoder = new Decoder(session, Tensor);
    const own = ids ?? (await idsOf(bench, decoder));
    const chunk = chunkOf(sizesOf(bench.config, bytes.length), own.length);
    const { more } = bench.task;
    const looks = decoder.attentions.length > 0;
    const plan: Plan = { ids: own, chunk, rows: rowsOf(bench), more, looks, ends: endsOf(bench.config) };
    const side = await measure(decoder, plan, progress);
    const text = bench.words ? bench.words.decode(side.next) : side.next.join(" ");
    return { ids: own, side: { ...side, text } as Shown };
  } finally {
    await session.release();
  }
}

/** How much of the work is done when onnxruntime is there. */
const started = 0.1;
/** As many tokens of the text are shown before what follows. */
const shownTokens = 60;

async function run(pe: Posenc, task: Task, report: Report<Outcome>): Promise<Outcome> {
  await startRuntime(task.runtime, (fraction) => report(started * fraction));
  const bench = await setUp(pe, task);
  let blind: Failure | undefined;
  const isBlind = (failure: Failure) => (blind = failure);
  const half = task.known ? started : started + (1 - started) / 2;
  const first = task.known
    ? { ids: task.known }
    : await runOne(bench, await seeing(bench, {}, isBlind), undefined, (fraction) =>
        report(started + (half - started) * fraction),
      );
  const { ids } = first;
  const last = ids.slice(-shownTokens);
  const ending = bench.words ? bench.words.decode(last) : `${last.join(" ")} `;
  const outcome: Outcome = { ids, ending, ...("side" in first && { original: first.side }), ...(blind && { blind }) };
  report(half, outcome);
  const options = optionsOf(task.change, bench.model.audit(pe, bench.config));
  const rewritten = await bench.model.rewrite(pe, options);
  const bytes = await seeing(bench, options, isBlind);
  const changed = await runOne(bench, bytes, ids, (fraction) => report(half + (1 - half) * fraction));
  return {
    ...outcome,
    changed: changed.side,
    ...(blind && { blind }),
    rewritten: { blob: await rewritten.blob(), changes: rewritten.changes },
  };
}

serveTask<Task, Outcome, Outcome>(run);

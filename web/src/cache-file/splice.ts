// Texts that were read alone, one after the other: the beginnings of the later ones are read again.
import { invalid, show } from "../base/errors.js";
import { asIs, must, readOptions, type Reader } from "../base/options.js";
import { aGpu, freeOnGpu, type GpuOption } from "../transformers/gpu.js";
import { makeTensor, type RuntimeTensor, type TensorClass } from "../transformers/tensors.js";
import type { Gpu } from "../webgpu/gpu.js";
import { arrayOf, asFloats, bitsOf, copyTokens, dataOf, type CacheLibrary, type Rows } from "./elements.js";
import type { Files, Piece } from "./parts.js";
import {
  Restoration,
  tensorOptions,
  tensorsOf,
  type Restored,
  type RestoreTensorOptions,
  type Whole,
} from "./restore.js";

/** A model of transformers.js: the method that is used here. */
export interface ForwardModel {
  /**
   * Runs the graph.
   *
   * @param inputs `input_ids`, `attention_mask`, `position_ids` and `past_key_values`.
   * @returns The outputs by name, keys and values as `present.<i>.key` and `.value` [1, H, T, D].
   * @throws {PosencError} Any error: the caller of `spliceCache` receives it.
   */
  forward(inputs: any): Promise<any>;
}

/** Options of `spliceCache`. */
export interface SpliceOptions<T> extends RestoreTensorOptions<T>, GpuOption {
  /** The model of transformers.js that reads the beginnings again. */
  reader: ForwardModel;
  /** Share of each text but the first that is read again, from its beginning: 0 to 1. */
  recompute: number;
}

const aReader: Reader<ForwardModel> = must((value, name) => {
  if (typeof (value as Partial<ForwardModel> | null)?.forward === "function") return value as ForwardModel;
  throw invalid(name, `must be a model of transformers.js (pipeline.model), got ${show(value)}`);
});
const aShare: Reader<number> = must((value, name) => {
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw invalid(name, `must be a number from 0 to 1, got ${show(value)}`);
});
const spliceOptions = { ...tensorOptions, reader: aReader, recompute: aShare, gpu: aGpu, Tensor: must(asIs) };

/**
 * Returns the keys and values of several texts for a transformers.js model, as `restoreCache`; the model reads the beginnings of
 * all but the first text again.
 *
 * A text that was read alone has not seen the texts before it, and its first tokens drew attention that now belongs to the first
 * tokens of all. Keys and values differ most at its beginning, so the model processes these tokens again, after all earlier texts
 * (EPIC). CacheBlend chooses tokens layer by layer; a graph that computes all layers at once does not allow that.
 * @param pe The result of `init()`.
 * @param files Files of `openCache` with `tokens`, or parts of them, in their order.
 * @param options Those of `restoreCache`, and `reader`, `recompute`; `Tensor` is needed.
 * @returns Keys and values by name, [1, H, T, D].
 * @throws {PosencError} As `restoreCache`; `invalid-argument` if a file has no tokens, or the model returns no keys and values.
 * @example
 * const past = await spliceCache(pe, [contract, letter], { encoding, Tensor, reader: chat.model, recompute: 0.15 });
 * @see Hu et al. 2024, arXiv:2410.15332; Yao et al. 2024, arXiv:2405.16444
 */
export async function spliceCache<T = RuntimeTensor>(
  pe: CacheLibrary,
  files: Files,
  options: SpliceOptions<T>,
): Promise<Record<string, T>> {
  const { Tensor, type, reader, recompute, gpu, ...read } = readOptions(options, spliceOptions);
  const restoration = new Restoration(pe, files, read as Restored);
  const { pieces, length } = restoration;
  if (recompute > 0 && pieces.slice(1).some(({ file }) => !file.tokens))
    throw invalid("files", "must have tokens: pass them to saveCache");
  const all = await restoration.all(type);
  let first = 0;
  for (const [i, piece] of pieces.entries()) {
    const count = Math.ceil(recompute * (piece.to - piece.from));
    if (i > 0 && count > 0) {
      const tokens = first + count;
      const outputs = await reader.forward(inputsOf(piece, first, count, cut(all, first, length), Tensor));
      for (const [name, whole] of all) {
        const rows = await rowsOf(outputs[name.replace("past_key_values", "present")], whole, tokens, gpu);
        const { data } = asFloats(pe, rows, whole.type);
        copyTokens({ data, tokens, first }, { data: whole.data, tokens: length, first }, count, whole);
      }
      freeOnGpu(Object.values(outputs));
      read.signal?.throwIfAborted();
    }
    first += piece.to - piece.from;
  }
  return tensorsOf(all, Tensor);
}

/** Returns the first tokens of keys and values. */
function cut(all: ReadonlyMap<string, Whole>, tokens: number, length: number): Map<string, Whole> {
  return new Map(
    Array.from(all, ([name, whole]) => {
      const data = arrayOf(whole.type, whole.heads * tokens * whole.width);
      copyTokens({ data: whole.data, tokens: length, first: 0 }, { data, tokens, first: 0 }, tokens, whole);
      return [name, { ...whole, data }];
    }),
  );
}

/** Returns the inputs of the model for the first tokens of a text after `past` tokens. */
function inputsOf(
  { file, from, at }: Piece,
  past: number,
  count: number,
  cache: ReadonlyMap<string, Whole>,
  Tensor: TensorClass<any>,
): object {
  const ids = (numbers: readonly number[], dims: number[]): unknown =>
    makeTensor({ type: "int64", data: BigInt64Array.from(numbers, BigInt), dims }, Tensor);
  const axes = at.map((axis) => axis.slice(0, count));
  return {
    input_ids: ids(file.tokens!.slice(from, from + count), [1, count]),
    attention_mask: ids(Array<number>(past + count).fill(1), [1, past + count]),
    position_ids: ids(axes.flat(), axes.length > 1 ? [axes.length, 1, count] : [1, count]),
    past_key_values: tensorsOf(cache, Tensor),
  };
}

/** Returns the keys or values [1, heads, tokens, width] that a model returned. */
async function rowsOf(given: unknown, { heads, width }: Whole, tokens: number, gpu: Gpu | undefined): Promise<Rows> {
  const { type, dims } = (given ?? {}) as Partial<Rows & RuntimeTensor>;
  if (String(dims) !== String([1, heads, tokens, width]) || (type !== "float32" && type !== "float16"))
    throw invalid("reader", `must return keys and values [1, ${heads}, ${tokens}, ${width}], got ${show(dims)}`);
  const data = await dataOf(given as RuntimeTensor, gpu, "reader");
  return { type, data: type === "float16" ? bitsOf(data) : (data as Rows["data"]), heads, width };
}

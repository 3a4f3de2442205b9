// What lists of calls are written with: a call with the dims of its tensors, and what several of them take.
import type { TensorLike } from "posenc";
import type { MethodsOf } from "./fuzz-calls";

export type Tensors = Record<string, TensorLike>;
export interface TensorCall {
  /** Shapes by name: inputs, results (`out`, `out.q`), and what is changed in place. */
  dims: Record<string, number[]>;
  run(tensors: Tensors): unknown;
}

export const call = (dims: Record<string, number[]>, run: (tensors: any) => unknown): TensorCall => ({ dims, run });
export type Calls<T> = Record<Exclude<MethodsOf<T>, symbol>, TensorCall[]>;

export const none = { toJSON: [], toString: [], zeroGradients: [], step: [], dispose: [] };
export const features = [2, 3, 4];
export const heads = [1, 2, 3, 4];
export const square = [1, 2, 3, 3];
export const gates = [1, 2, 3];

/** The memory of a tensor as other numbers: all flags but 0 are yes, all segments are integers. */
export const bytesOf = ({ data }: TensorLike, dims: number[]) => ({
  data: new Uint8Array(data.buffer, data.byteOffset, dims[0]! * dims[1]!),
  dims,
});
export const integersOf = ({ data }: TensorLike) => new Int32Array(data.buffer, data.byteOffset, data.length);
export const sight = { mask: [3], attentionMask: [1], segments: [3] };
export const hidden = ({ mask, attentionMask, segments }: Tensors) => ({
  mask: bytesOf(mask!, [3, 3]),
  attentionMask: bytesOf(attentionMask!, [1, 3]),
  segments: integersOf(segments!),
});

/** The results among the tensors, as the option that calls with several take. */
export const outOf = (tensors: Tensors): Tensors =>
  Object.fromEntries(
    Object.entries(tensors)
      .filter(([name]) => name.startsWith("out."))
      .map(([name, tensor]) => [name.slice(4), tensor]),
  );

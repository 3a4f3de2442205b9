// Every public call with each of its tensors: whose numbers are not as many as its dims need, and results of other dims. All
// are refused by name, and no result is written.
import type { TensorLike } from "posenc";
import { describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { randomNumbers, sizeOf } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";
import { tensorCalls, type TensorCall, type Tensors } from "../helpers/tensor-calls";

const tensorsOf = ({ dims }: TensorCall): Tensors =>
  Object.fromEntries(
    Object.entries(dims).map(([name, shape], i) => [name, { data: randomNumbers(sizeOf(shape), i + 1), dims: shape }]),
  );

/** Does the call read dims, or the numbers alone, as of positions? */
function readsDims(call: TensorCall, name: string): boolean {
  let asked = false;
  const tensors = tensorsOf(call);
  const { data, dims } = tensors[name]!;
  tensors[name] = {
    data,
    get dims() {
      asked = true;
      return dims;
    },
  };
  call.run(tensors);
  return asked;
}

const lengthened = (dims: readonly number[], by: number) => [...dims.slice(0, -1), dims.at(-1)! + by];
const isResult = (name: string) => name.startsWith("out");

/** What may be wrong with a tensor, and the tensor then. */
const wrongs: [string, (name: string) => boolean, (tensor: TensorLike) => TensorLike][] = [
  ["fewer numbers", () => true, ({ data, dims }) => ({ data: data.slice(1), dims })],
  ["more numbers", () => true, ({ data, dims }) => ({ data: randomNumbers(data.length + 1, 9), dims })],
  ["no numbers", () => true, ({ dims }) => ({ data: new Float32Array(0), dims })],
  ["the dims turned", isResult, ({ data, dims }) => ({ data, dims: [...dims].reverse() })],
  ["one dim more", isResult, ({ data, dims }) => ({ data, dims: [1, ...dims] })],
  [
    "another dim",
    isResult,
    ({ dims }) => ({ data: randomNumbers(sizeOf(lengthened(dims, 1)), 9), dims: lengthened(dims, 1) }),
  ],
  ["a dim of 0", isResult, ({ dims }) => ({ data: new Float32Array(0), dims: [...dims.slice(0, -1), 0] })],
];

const cases = Object.values(tensorCalls).flatMap((methods) =>
  Object.entries(methods).flatMap(([method, calls]) =>
    calls.flatMap((call) =>
      Object.keys(call.dims)
        .filter((name) => readsDims(call, name))
        .map((name) => [method, name, call] as const),
    ),
  ),
);

/** Of one dim alone, or of equal ones, there is nothing to turn. */
const differs = (a: TensorLike, b: TensorLike) => a.data.length !== b.data.length || a.dims.join() !== b.dims.join();

describe.each([
  ["ordinary arrays", ({ data, dims }: TensorLike): TensorLike => ({ data, dims })],
  [
    "arrays in wasm memory",
    ({ data, dims }: TensorLike): TensorLike => {
      const there = pe.tensor([data.length]);
      there.data.set(data);
      return { data: there.data, dims };
    },
  ],
])("%s that do not fit", (_, field) => {
  it.each(cases)("%s: %s", (method, name, call) => {
    for (const [what, concerns, change] of wrongs) {
      if (!concerns(name)) continue;
      const tensors = tensorsOf(call);
      const wrong = field(change(tensors[name]!));
      if (!differs(wrong, tensors[name]!)) continue;
      tensors[name] = wrong;
      const before = Object.values(tensors).map(({ data }) => data.slice());
      const error = refusal(() => call.run(tensors), `${method}, ${name} with ${what}`);
      // What is loaded has the parameter's name.
      expectError(error, "shape-mismatch", method === "load" ? undefined : name);
      Object.values(tensors).forEach(({ data }, i) => expect(data, `${name} with ${what}`).toEqual(before[i]));
    }
  });
});

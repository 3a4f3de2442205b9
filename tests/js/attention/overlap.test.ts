// Every public call with every pair of its tensors in one place: as with memory of their own, or an error that names both.
import type { Encoding, TensorLike } from "posenc";
import { afterAll, describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { randomNumbers, sizeOf } from "../helpers/numbers";
import { refusal } from "../helpers/refusals";
import * as calls from "../helpers/tensor-calls";
import { tensorCalls, type TensorCall, type Tensors } from "../helpers/tensor-calls";

const encodings = Object.values(calls).filter((value) => value instanceof Object && "gradients" in value) as Encoding[];
const first = encodings.map(({ parameters }) =>
  Object.fromEntries(Object.entries(parameters).map(([name, { data }]) => [name, Float32Array.from(data)])),
);

/** The encodings as they began: calls load them and add to their gradients. */
function restart(): void {
  encodings.forEach((encoding, i) => {
    for (const [name, tensor] of Object.entries(encoding.parameters)) tensor.data.set(first[i]![name]!);
    if (Object.keys(encoding.parameters).length > 0) encoding.zeroGradients();
  });
}

/** Every number that a call has made: what it returns, and the gradients it has added to. */
function numbersIn(value: unknown): number[] {
  if (ArrayBuffer.isView(value)) return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  if (value === null || typeof value !== "object") return [];
  return "dims" in value
    ? numbersIn((value as TensorLike).data)
    : Object.keys(value)
        .sort()
        .flatMap((name) => numbersIn((value as Record<string, unknown>)[name]));
}

function bitsOf(call: TensorCall, tensors: Tensors): string {
  const result = call.run(tensors);
  const gradients = encodings.map((encoding) => Object.values(encoding.gradients).map(({ data }) => numbersIn(data)));
  return JSON.stringify([numbersIn(result), gradients]);
}

/** Where `b` begins, if `a` begins at 1: at the same place, next to it, in its middle or the other way round. */
const arrangements: [string, (a: number, b: number) => number][] = [
  ["equal", () => 1],
  ["shifted", () => 2],
  ["nested", (a, b) => Math.max(0, 1 + Math.trunc((a - b) / 2))],
];

const spare = 400;
const large = pe.tensor([spare]);
const homes: Record<string, () => Float32Array> = {
  plain: () => new Float32Array(spare),
  wasm: () => large.data,
};
afterAll(() => large.dispose());

/** The tensors of a call, those of `offsets` in `home` and the others each on its own. */
function arranged(call: TensorCall, home: Float32Array | undefined, offsets: Record<string, number>): Tensors {
  home?.set(randomNumbers(home.length, 7));
  const tensors = Object.entries(call.dims).map(([name, dims], i) => {
    const at = offsets[name];
    const data = home && at !== undefined ? home.subarray(at, at + sizeOf(dims)) : randomNumbers(sizeOf(dims), i + 1);
    return [name, { data, dims }];
  });
  return Object.fromEntries(tensors) as Tensors;
}

function expectSeparateOrRefused(
  call: TensorCall,
  home: Float32Array,
  offsets: Record<string, number>,
  what: string,
  shared?: TensorLike,
) {
  const together = arranged(call, home, offsets);
  if (shared) for (const name of Object.keys(offsets)) together[name] = shared;
  const apart = Object.fromEntries(
    Object.entries(together).map(([name, { data, dims }]) => [name, { data: data.slice(), dims }]),
  );
  restart();
  const expected = bitsOf(call, apart);
  restart();
  let actual: string;
  try {
    actual = bitsOf(call, together);
  } catch {
    const error = refusal(() => call.run(together), what);
    expect({ what, code: error.code }).toEqual({ what, code: "invalid-argument" });
    for (const name of Object.keys(offsets)) expect(error.message, what).toContain(name);
    expect(error.message, what).toContain("shares memory with");
    return;
  }
  expect(actual === expected, `${what}: other numbers than with memory of their own`).toBe(true);
}

const listed = Object.entries(tensorCalls).flatMap(([group, methods]) =>
  Object.entries(methods as Record<string, TensorCall[]>).flatMap(([method, list]) =>
    list.map((call, i) => [`${group}.${method} ${i || ""}`.trim(), call] as const),
  ),
);

/** Each two tensors of a call; with `alike`, of the same dims. */
const pairsOf = ({ dims }: TensorCall, alike = false): [string, string][] =>
  Object.keys(dims).flatMap((a, i, names) =>
    names
      .slice(i + 1)
      .filter((b) => !alike || String(dims[b]) === String(dims[a]))
      .map((b): [string, string] => [a, b]),
  );
const pairs = listed.filter(([, call]) => pairsOf(call).length > 0);
const alike = listed.filter(([, call]) => pairsOf(call, true).length > 0);

describe.each(Object.keys(homes))("tensors of one call that share %s memory", (kind) => {
  it.each(pairs)("%s", (_, call) => {
    for (const [a, b] of pairsOf(call))
      for (const [arrangement, offsetOf] of arrangements) {
        const at = offsetOf(sizeOf(call.dims[a]!), sizeOf(call.dims[b]!));
        expectSeparateOrRefused(call, homes[kind]!(), { [a]: 1, [b]: at }, `${a} and ${b} ${arrangement}`);
      }
  });

  it.each(kind === "wasm" ? alike : [])("%s: one pe.tensor for both", (_, call) => {
    for (const [a, b] of pairsOf(call, true)) {
      using both = pe.tensor(call.dims[a]!);
      expectSeparateOrRefused(call, both.data, { [a]: 0, [b]: 0 }, `${a} and ${b}`, both);
    }
  });

  it.each(listed)("%s: with memory of their own they may be neighbours", (_, call) => {
    let end = 0;
    const offsets: Record<string, number> = {};
    for (const [name, dims] of Object.entries(call.dims)) [offsets[name], end] = [end, end + sizeOf(dims)];
    const together = arranged(call, homes[kind]!(), offsets);
    restart();
    const expected = bitsOf(call, arranged(call, undefined, {}));
    expect(expected.length).toBeGreaterThan(0);
    restart();
    expect(() => call.run(together)).not.toThrow();
  });
});

const heads = [1, 2, 3, 4];
const [q, k, v] = [1, 2, 3].map((seed) => ({ data: randomNumbers(sizeOf(heads), seed), dims: heads }));
const plain = (dims: number[]) => ({ data: new Float32Array(sizeOf(dims)), dims });
const { learned, rope, kerple, swin, shaw, cope, pope } = calls;

/** What writes, beside reading an encoding's learned numbers or adding to their gradients. */
const writers: [string, Encoding, number[], (out: TensorLike) => unknown][] = [
  ["table", learned, [3, 4], (out) => learned.table({ length: 3, out })],
  ["addTo", learned, [3, 4], (x) => learned.addTo(x)],
  ["concatTo", learned, [3, 6], (out) => learned.concatTo(plain([3, 2]), { out })],
  ["apply", rope, heads, (x) => rope.apply(x)],
  ["the gradient of a rotation", rope, heads, (out) => rope.backward(q!, k!, { out })],
  ["rerotate", rope, heads, (x) => rope.rerotate(x, { from: 1, to: 0 })],
  ["bias", kerple, [2, 3, 3], (out) => kerple.bias({ queries: 3, keys: 3, out })],
  ["applyTo", swin, [2, 4, 4], (scores) => swin.applyTo(scores)],
  ["the gradient of a bias", swin, [2, 4, 4], (out) => swin.backward(plain([2, 4, 4]), { out })],
  ["logits", shaw, [1, 2, 3, 3], (out) => shaw.logits(q!, k!, { out })],
  ["expand", pope, [1, 2, 3, 8], (out) => pope.expand(q!, { role: "key", out })],
  ["attention", shaw, heads, (out) => pe.attention(q!, k!, v!, { encoding: shaw, out })],
  [
    "attention's gradient",
    cope,
    heads,
    (out) => pe.attentionBackward(q!, k!, v!, v!, { encoding: cope, out: { k: out } }),
  ],
];

it.each(writers)("%s refuses the memory of its own learned numbers and gradients", (what, encoding, dims, write) => {
  const own = [
    ...Object.entries(encoding.parameters).map(([name, { data }]) => ({ name, data })),
    ...Object.values(encoding.gradients).map(({ data }) => ({ name: "gradient", data })),
  ];
  expect(own).not.toEqual([]);
  for (const { name, data } of own) {
    const before = Float32Array.from(data);
    // It may be larger than the few numbers of some, and reach into what lies behind them.
    const target = { data: new Float32Array(data.buffer, data.byteOffset, sizeOf(dims)), dims };
    const error = refusal(() => write(target), `${what} into ${name}`);
    expect([error.code, error.message]).toEqual(["invalid-argument", expect.stringContaining("shares memory with")]);
    const names = own.map((other) => other.name).filter((other) => other === name || data.length < sizeOf(dims));
    expect(
      names.some((known) => error.message.includes(known)),
      error.message,
    ).toBe(true);
    expect(Float32Array.from(data)).toEqual(before);
  }
});

// Arguments for the fuzz test, drawn by fast-check: what a call needs, with now and then something else in its place.
// Many depend on the encoding and on each other: a plan becomes a value once sizes are known.
import fc from "fast-check";
import { pe } from "./library";
import type { TensorType } from "posenc";
import { randomNumbers, sizeOf } from "./numbers";

/** Sizes by name: those of the encoding, and those that the arguments of one call share. */
export type Sizes = Record<string, number>;
export type Plan = (sizes: Sizes) => unknown;
export type Drawn = fc.Arbitrary<Plan>;

export const always = (value: unknown): Drawn => fc.constant(() => value);
export const of = (values: fc.Arbitrary<unknown>): Drawn => values.map((value) => () => value);

/** Anything that JavaScript may hand over. Numbers between the small and the absurd are left out: they only take long. */
const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, NaN, Infinity, -Infinity, -1, -0, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, 1e300),
  fc.constantFrom<unknown>("", "text", "a\x1fl\x1f9", "__proto__", true, 10n, Symbol("mark"), () => 1, new Date(0)),
  fc.constantFrom<unknown>({}, [], [1], [[]], [NaN], ["1"], [null], { data: null, dims: null }, new Map()),
  fc.constantFrom<unknown>(
    new Float64Array(2),
    new Uint8Array(3),
    new ArrayBuffer(8),
    new DataView(new ArrayBuffer(4)),
  ),
);

export const usually = (good: Drawn, times = 24): Drawn =>
  fc.oneof({ weight: times, arbitrary: good }, { weight: 1, arbitrary: of(junk) });

const oneOf = (...choices: Drawn[]): Drawn => fc.oneof(...choices);
export const flag = of(fc.boolean());
export const whole = (max: number, min = 0): Drawn => of(fc.integer({ min, max }));
export const pick = (...values: unknown[]): Drawn => of(fc.constantFrom(...values));
export const size = (name: string): Drawn => fc.constant((sizes) => sizes[name]);
export const number: Drawn = of(
  fc.oneof(fc.integer({ min: -20, max: 200 }), fc.double({ min: -1e3, max: 1e3 }), fc.double()),
);

/** The sizes that the arguments of a call share: batch, heads, grouped queries, positions, keys, widths. */
export const callSizes: fc.Arbitrary<Sizes> = fc.record({
  B: fc.integer({ min: 0, max: 3 }),
  H: fc.integer({ min: 0, max: 3 }),
  G: fc.integer({ min: 1, max: 2 }),
  T: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom(17, 64, 65)),
  S: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom(17, 64, 65)),
  D: fc.integer({ min: 0, max: 9 }),
});

interface TensorDraw {
  seed: number;
  resident: boolean;
  within: boolean;
  type: TensorType;
  mistyped: boolean;
  change: { axis: number; to: number } | null;
  extra: number;
  special: number | null;
}

const tensorDraw: fc.Arbitrary<TensorDraw> = fc.record({
  seed: fc.nat(1000),
  resident: fc.boolean(),
  within: fc.boolean(),
  type: fc.oneof(
    { weight: 12, arbitrary: fc.constant("float32") },
    { weight: 6, arbitrary: fc.constantFrom("float16", "bfloat16") },
  ),
  mistyped: fc.oneof({ weight: 40, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  change: fc.option(fc.record({ axis: fc.nat(3), to: fc.constantFrom(0, 1, 2, 7, -1, 0.5, NaN, 2 ** 31, 2 ** 53) }), {
    freq: 30,
  }),
  extra: fc.oneof({ weight: 40, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
  special: fc.option(fc.constantFrom(NaN, Infinity, -Infinity, 3e38, -0, 1e-45), { freq: 8 }),
});

/** The tensors in wasm memory that values were made of, to be freed after the call. */
export const resident: { dispose(): void }[] = [];

function makeTensor(draw: TensorDraw, wanted: number[]): unknown {
  const { seed, special, change, extra } = draw;
  const dims = wanted.map((dim, axis) => (change?.axis === axis ? change.to : dim));
  const most = sizeOf(dims);
  const length = Math.max(0, (Number.isInteger(most) && most >= 0 && most < 1e6 ? most : sizeOf(wanted)) + extra);
  const floats = randomNumbers(length, seed + 1);
  if (special !== null && length > 0) floats[seed % length] = special;
  const { type } = draw;
  if (draw.resident && change === null && length === most) {
    const tensor = pe.tensor(floats, dims, { type });
    resident.push(tensor);
    return tensor;
  }
  const data = type === "float32" || draw.mistyped ? floats : Uint16Array.from(floats, (x) => 65536 * (x + 0.5));
  if (!draw.within) return { type, data, dims };
  // A part of a larger buffer.
  const larger = new (data.constructor as typeof Uint16Array)(length + 2).fill(7);
  larger.set(data, 1);
  return { type, data: larger.subarray(1, length + 1), dims };
}

/** A tensor of these sizes: "T" positions, "G·H" heads. */
export const tensor = (...names: (string | number)[]): Drawn =>
  usually(
    tensorDraw.map(
      (draw) => (sizes) =>
        makeTensor(
          draw,
          names.map((name) => sizeNamed(sizes, name)),
        ),
    ),
    60,
  );

const sizeNamed = (sizes: Sizes, name: string | number): number =>
  typeof name === "number" ? name : name.split("·").reduce((product, part) => product * sizes[part]!, 1);

/** As many numbers as a size says, in any of the arrays that the API takes. */
const list = (name: string, values: fc.Arbitrary<number>): Drawn =>
  fc
    .record({
      start: values,
      step: fc.constantFrom(1, 1, 1, 0, -1, 0.5),
      as: fc.constantFrom("array", "float", "int", "big"),
      extra: fc.oneof({ weight: 30, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
    })
    .map(({ start, step, as, extra }) => (sizes) => {
      const numbers = Array.from({ length: sizeNamed(sizes, name) + extra }, (_, i) => start + step * i);
      if (as === "array") return numbers;
      if (as === "float") return Float64Array.from(numbers);
      const wholes = numbers.map((value) => (Number.isFinite(value) ? Math.trunc(value) % 2 ** 31 : 0));
      return as === "int" ? Int32Array.from(wholes) : BigInt64Array.from(wholes, BigInt);
    });

const position = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -3, max: 50 }) },
  { weight: 1, arbitrary: fc.constantFrom(0.25, 2 ** 40, -(2 ** 48), 2 ** 49, NaN, -Infinity) },
);
export const numbers = (name: string): Drawn => list(name, position);
export const positive = (name: string): Drawn => list(name, fc.integer({ min: 1, max: 9 }));

/** Positions: shared or for each row, one list for each axis where there are several. */
export const positions = (count: string): Drawn =>
  fc
    .tuple(fc.boolean(), fc.array(fc.tuple(numbers(count), numbers(`B·${count}`)), { minLength: 4, maxLength: 4 }))
    .map(([perRow, lists]) => (sizes) => {
      const axes = lists.slice(0, sizes["axes"] ?? 1).map((both) => both[perRow ? 1 : 0](sizes));
      return axes.length === 1 ? axes[0] : axes;
    });

/** All places in one row, whatever the number of axes. */
export const grid = (count: string): Drawn =>
  fc.constant((sizes) => [...Array.from({ length: (sizes["axes"] ?? 1) - 1 }, () => 1), sizeNamed(sizes, count)]);

export const mask = (...names: string[]): Drawn =>
  oneOf(
    numbers(names.at(-1)!),
    list(names.join("·"), fc.integer({ min: 0, max: 1 })).map((plan) => (sizes) => ({
      data: plan(sizes),
      dims: names.map((name) => sizeNamed(sizes, name)),
    })),
  );

/** What a plan for an object of options was made of. */
export interface DrawnOptions extends Drawn {
  wanted: Record<string, Drawn>;
  required: readonly string[];
}

/** An object of options: the required ones, each other now and then, rarely one that is unknown. */
export function options(wanted: Record<string, Drawn>, required: string[] = []): DrawnOptions {
  const known = Object.fromEntries(Object.entries(wanted).map(([name, drawn]) => [name, usually(drawn)]));
  const others = Object.keys(wanted).filter((name) => !required.includes(name));
  const some = fc.tuple(
    fc.record(known),
    fc.subarray(others, { maxLength: Math.min(3, others.length) }),
    fc.oneof({ weight: 40, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: fc.constant({ unknown: 1 }) }),
  );
  const drawn = usually(
    some.map(([plans, chosen, extra]) => (sizes) => ({
      ...Object.fromEntries(
        Object.entries(plans)
          .filter(([name]) => required.includes(name) || chosen.includes(name))
          .map(([name, plan]) => [name, (plan as Plan)(sizes)]),
      ),
      ...extra,
    })),
    40,
  );
  return Object.assign(drawn, { wanted, required });
}

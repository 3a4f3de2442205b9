// Generators of images and videos rotate as the code of diffusers computes it: transformer_<name>.py.
import { models } from "posenc/models";
import { expect, it } from "vitest";
import { createRotary, loosely } from "../helpers/library";

/** Frequencies of one axis. */
const frequencies = (base: number, dim: number): number[] =>
  Array.from({ length: dim / 2 }, (_, k) => base ** ((-2 * k) / dim));
type Angles = (at: readonly number[]) => number[];
/** Axes one after the other, each with frequencies of its own size. */
const blocks =
  (base: number, dims: number[]): Angles =>
  (at) =>
    dims.flatMap((dim, axis) => frequencies(base, dim).map((frequency) => at[axis]! * frequency));

/** Ideogram 4: time, but rows and columns at every third pair of the first 60. */
const ideogram: Angles = (at) =>
  frequencies(5e6, 256).map((frequency, k) => (k < 60 ? at[k % 3]! : at[0]!) * frequency);

it.each<[string, number, "half" | "neighbours", Angles, number[]]>([
  ["krea-2", 128, "neighbours", blocks(1000, [32, 48, 48]), [0, 7, 30]],
  ["ideogram-4", 256, "half", ideogram, [65536, 65536 + 7, 65536 + 30]],
  ["helios", 128, "neighbours", blocks(10000, [44, 42, 42]), [9, 7, 30]],
  ["minimax-h3", 128, "half", blocks(10000, [32, 32, 32]), [20 / 3, 5.25, 30.5]],
])("%s", (id, dim, pairing, anglesAt, at) => {
  const angles = anglesAt(at);
  const rope = createRotary(loosely(models[id]!.spec));
  expect([rope.dim, rope.pairs]).toEqual([dim, angles.length]);
  const q = Float32Array.from({ length: dim }, (_, i) => Math.sin(i + 1));
  const expected = [...q];
  angles.forEach((angle, k) => {
    const [a, b] = pairing === "half" ? [k, k + angles.length] : [2 * k, 2 * k + 1];
    expected[a] = q[a]! * Math.cos(angle) - q[b]! * Math.sin(angle);
    expected[b] = q[b]! * Math.cos(angle) + q[a]! * Math.sin(angle);
  });
  const positions = loosely(at.map((coordinate) => [coordinate]));
  const { data } = rope.apply({ data: q, dims: [1, 1, 1, dim] }, { positions });
  expected.forEach((value, i) => expect(data[i]).toBeCloseTo(value, 6));
});

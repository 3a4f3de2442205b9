// What leaves the library: JSON that is small, clones that say what to send instead, specs that nobody can change.
import { describe, expect, it } from "vitest";
import { createRotary, createTable, loosely, pe } from "../helpers/library";
import { caught, expectError } from "../helpers/refusals";

const learned = createTable({ kind: "learned", length: 8, dim: 4 });
const own = [0.5, 0.25];
const rope = createRotary({ kind: "rope", dim: 4, frequencies: Float64Array.from(own) });
const things: [string, () => object][] = [
  ["an instance", () => pe],
  ["an encoding", () => rope],
  ["a learned encoding", () => learned],
  ["a tensor", () => pe.tensor([1024])],
  ["a parameter", () => learned.weights],
  ["a gradient", () => learned.gradient],
];

describe.each(things)("%s", (_, make) => {
  it("is small as JSON", () => {
    expect(JSON.stringify(make()).length).toBeLessThan(1000);
  });

  it("refuses to be cloned, and says what to send instead", async () => {
    const thing = make();
    expectError(await caught(() => structuredClone(thing)), "unsupported");
    const { port1 } = new MessageChannel();
    expect(await caught(() => port1.postMessage({ thing }))).toMatchObject({ message: expect.stringMatching(/send/) });
    port1.close();
  });
});

describe("encoding.spec", () => {
  it("goes through JSON and clones, and makes the same encoding", () => {
    for (const spec of [JSON.parse(JSON.stringify(rope)), structuredClone(rope.spec)])
      expect([...createRotary(spec).inverseFrequencies]).toEqual(own);
  });

  it("is frozen all through, and no array of the caller's", () => {
    const given = Float64Array.from(own);
    const { spec } = loosely(createRotary({ kind: "rope", dim: 4, frequencies: given }));
    given[0] = 9;
    expect(spec.frequencies).toEqual(own);
    expect(() => (spec.dim = 6)).toThrow(TypeError);
    expect(() => (spec.frequencies[0] = 6)).toThrow(TypeError);
  });
});

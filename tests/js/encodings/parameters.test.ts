// Learned numbers: they are there, can be written in place or loaded, and every call uses what stands in them.
import { describe, expect, it } from "vitest";
import { createAny, descriptions, exampleSpec, loosely, pe } from "../helpers/library";
import { expectSameBits, randomNumbers, sizeOf } from "../helpers/numbers";
import { refusal } from "../helpers/refusals";

const learned = descriptions.filter((description) => description.parameters.length > 0);

describe.each(learned.map((description) => [description.kind, description] as const))("%s", (_, description) => {
  const spec = exampleSpec(description);
  const create = (changes: object = {}) => loosely(createAny({ ...spec, ...changes }));
  const first = description.parameters[0]!.name;

  it("has each parameter with its dims, finite and the same each time", () => {
    const [one, other] = [create(), create()];
    // A form may do without some.
    const present = description.parameters.filter(({ name }) => name in one.parameters);
    expect(Object.keys(one.parameters)).toEqual(present.map(({ name }) => name));
    expect(present.length).toBeGreaterThan(0);
    for (const { name, axes, doc } of present) {
      const { data, dims } = one.parameters[name];
      expect(dims).toHaveLength(axes.split(",").length);
      expect(data).toHaveLength(sizeOf(dims));
      expect(data.every(Number.isFinite)).toBe(true);
      expectSameBits(data, other.parameters[name].data, name);
      expect(doc.length).toBeGreaterThan(5);
    }
  });

  it("begins the others as ever where one is given", () => {
    const usual = create().parameters;
    const given = create({ [first]: randomNumbers(usual[first].size, 5) }).parameters;
    expect(Object.keys(given)).toEqual(Object.keys(usual));
    for (const name of Object.keys(usual)) if (name !== first) expectSameBits(given[name].data, usual[name].data, name);
  });

  it("takes them at create() and by load(), as tensors or as numbers", () => {
    const { dims, size } = create().parameters[first];
    const data = randomNumbers(size, 5);
    for (const given of [data, [...data], { data, dims }, { type: "float32", data, dims: [1, ...dims] }]) {
      expectSameBits(create({ [first]: given }).parameters[first].data, data, "create");
      const encoding = create();
      expect(encoding.load({ [first]: given })).toBe(encoding);
      expectSameBits(encoding.parameters[first].data, data, "load");
    }
  });

  it("refuses what does not fit, and changes nothing", () => {
    const encoding = create();
    const before = encoding.parameters[first].data.slice();
    const { size } = encoding.parameters[first];
    const refused = (data: unknown, code: string) =>
      expect(refusal(() => encoding.load({ [first]: data }))).toMatchObject({ code, field: first });
    refused(new Float32Array(size + 1), "shape-mismatch");
    refused({ data: new Float32Array(size), dims: [2, size / 2, 1, 3] }, "shape-mismatch");
    refused("weights", "invalid-argument");
    refused(new Float32Array(size).fill(NaN), "invalid-argument");
    expect(refusal(() => encoding.load({ nothing: [1] }))).toMatchObject({
      code: "invalid-argument",
      field: "nothing",
    });
    expect(refusal(() => create({ [first]: [1, 2, 3, 4, 5, 6, 7] }))).toMatchObject({ code: "shape-mismatch" });
    expectSameBits(encoding.parameters[first].data, before);
  });

  it("lives and ends with the encoding, and counts as its own memory", () => {
    const before = pe.liveBytes;
    const encoding = create();
    const tensor = encoding.parameters[first];
    expect(pe.liveBytes).toBe(before);
    encoding.dispose();
    expect(refusal(() => tensor.data)).toMatchObject({ code: "disposed" });
  });
});

it("kinds without learned numbers say so", () => {
  const rope = pe.create({ kind: "integer" });
  expect(rope.parameters).toEqual({});
  expect(refusal(() => rope.load([1]))).toMatchObject({ code: "unsupported" });
});

it("ALiBi's bias follows its slopes", () => {
  const alibi = pe.create({ kind: "alibi", heads: 2, slopes: [1, 10] });
  expect([...alibi.slopes]).toEqual([1, 10]);
  alibi.parameters.slopes!.data[0] = 3;
  const { data } = alibi.bias({ queries: 1, keys: 3 });
  expect([...data]).toEqual([-6, -3, 0, -20, -10, 0]);
});

// Is the spec honest? Defaults are valid, each limit is refused by name just beyond it, and nothing unknown gets through.
import type { FieldDescription } from "posenc";
import { describe as describeInWords } from "posenc/explain";
import { describe, expect, it } from "vitest";
import { createAny, descriptions, exampleSpec, loosely, pe } from "../helpers/library";
import type { Spec } from "../helpers/library";
import { refusal } from "../helpers/refusals";

/** Each kind has a snippet by its name: what describe() lists is held against their files. */
const snippets = Object.keys(import.meta.glob("../../../examples/kinds/*.js")).map((path) =>
  path.replace(/^.*\/|\.js$/g, ""),
);

const TYPES = ["integer", "number", "boolean", "choice", "numbers"];

const refusalOf = (spec: unknown) => refusal(() => createAny(spec), JSON.stringify(spec));

function expectRefused(spec: Spec, field: string, message?: RegExp) {
  const error = refusalOf(spec);
  expect(error).toMatchObject({ name: "PosencError", code: "invalid-spec", field });
  expect(error.message).toContain(field === "kind" ? "kind" : `${spec.kind}.${field}`);
  if (message) expect(error.message).toMatch(message);
}

/** The nearest value below a limit that the field's type can hold. */
const below = (field: FieldDescription, limit: number) =>
  field.type === "integer" ? limit - 1 : limit - Math.max(Math.abs(limit), 1e-3) * 1e-9;
const above = (field: FieldDescription, limit: number) =>
  field.type === "integer" ? limit + 1 : limit + Math.max(Math.abs(limit), 1e-3) * 1e-9;

describe("describe()", () => {
  it("lists every kind once", () => {
    const kinds = descriptions.map((entry) => entry.kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect([...kinds].sort()).toEqual(snippets.sort());
  });

  it("tells an instance's facts: the same without the words", () => {
    const facts = descriptions.map(({ kind, family, fields, parameters, calls }) => ({
      kind,
      family,
      fields: fields.map(({ example: _example, unit: _unit, doc: _doc, ...field }) => field),
      parameters: parameters.map(({ name }) => ({ name })),
      calls,
    }));
    expect(pe.describe()).toEqual(facts);
  });

  it("hands out a list that callers may change", () => {
    for (const describeKinds of [() => pe.describe(), describeInWords]) {
      const [list, before] = [describeKinds(), describeKinds()];
      list[0]!.fields.length = 0;
      list.length = 1;
      expect(describeKinds()).toEqual(before);
    }
  });

  it.each(descriptions.map((entry) => [entry.kind, entry] as const))("%s is complete", (kind, entry) => {
    expect(kind).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(["table", "rotary", "bias", "relative"]).toContain(entry.family);
    for (const text of [entry.title, entry.formula, entry.source]) expect(text.length).toBeGreaterThan(3);
    const names = entry.fields.map((field) => field.name);
    expect(new Set(names).size).toBe(names.length);
  });
});

const fields = descriptions.flatMap((entry) =>
  entry.fields.map((field) => [`${entry.kind}.${field.name}`, entry, field] as const),
);

/** Limits that a rule across fields forbids, with what the rule says. */
const STRICTER: Record<string, RegExp> = {
  "rope-ntk.dim min": /≥ 4|at least 4|> 2/,
  "rope-ntk-by-parts.dim min": /≥ 4|at least 4|> 2/,
  "rope-ntk-by-parts.base min": /> 1/,
  "rope-dynamic.dim min": /≥ 4|at least 4|> 2/,
  "rope-qwen.dim min": /≥ 4|at least 4|> 2/,
  "rope-yarn.base min": /> 1/,
  "rope-yarn.betaFast min": /betaSlow/,
  "rope-yarn.betaSlow max": /betaSlow/,
  "rope-llama3.lowFrequencyFactor max": /lowFrequencyFactor/,
  "rope-llama3.highFrequencyFactor min": /lowFrequencyFactor/,
  "t5.buckets min": /≥ 4 if bidirectional/,
  "t5.maxDistance min": /> 8 \(single-distance buckets\)/,
  "rope.frequencies min": /one value per pair \(32\)/,
  "rope.frequencies max": /one value per pair \(32\)/,
  "rope-axial.dim min": /multiple of 4/,
  "rope-axial.axisDims min": /one value per axis \(2\)/,
  "rope-axial.axisDims max": /one value per axis \(2\)/,
  "rope-axial.axisOrder min": /one value per axis \(2\)/,
  "rope-axial.axisOrder max": /one value per axis \(2\)/,
  "rope-mrope.dim min": /sum to the 1 pairs/,
  "rope-mixed.axisOrder max": /each axis once/,
  "fope.length min": /must keep a frequency/,
  "liere.dim min": /≤ 2 \(dim\)/,
  // of any kind
  "sections min": /sum to the 32 pairs/,
  "sections max": /sum to the 32 pairs/,
  "axisOfPair min": /one value per pair \(32\)/,
  "axisOfPair max": /one value per pair \(32\)/,
};

function expectAcceptedAtLimit(path: string, side: "min" | "max", spec: Spec) {
  const rule = STRICTER[`${path} ${side}`] ?? STRICTER[`${path.split(".")[1]} ${side}`];
  if (!rule) expect(() => createAny(spec)).not.toThrow();
  else expect(refusalOf(spec)).toMatchObject({ code: "invalid-spec", message: expect.stringMatching(rule) });
}

describe.each(fields)("%s", (path, entry, field) => {
  const withValue = (value: unknown) => exampleSpec(entry, { [field.name]: value });

  it("says what it is", () => {
    expect(field.name).toMatch(/^[a-z][a-zA-Z0-9]*$/);
    expect(TYPES).toContain(field.type);
    expect(field.doc).toMatch(/^.{5,}\.$/s);
    expect(typeof field.required).toBe("boolean");
    if (field.type === "choice") expect(field.choices!.length).toBeGreaterThan(1);
    if (field.required) expect(field.example ?? null).not.toBeNull();
  });

  it.runIf(field.required)("is required", () => {
    const spec = exampleSpec(entry);
    delete spec[field.name];
    expectRefused(spec, field.name, /required/);
  });

  it.skipIf(field.required)("has a default that can be spelled out", () => {
    expect(() => createAny(withValue(field.default))).not.toThrow();
  });

  it.runIf(typeof field.min === "number")("is refused just below its minimum", () => {
    const value = below(field, field.min!);
    expectRefused(withValue(field.type === "numbers" ? [value] : value), field.name);
  });

  it.runIf(typeof field.max === "number")("is refused just above its maximum", () => {
    const value = above(field, field.max!);
    expectRefused(withValue(field.type === "numbers" ? [value] : value), field.name);
  });

  it.runIf(typeof field.min === "number")("is accepted at its minimum", () => {
    expectAcceptedAtLimit(path, "min", withValue(field.type === "numbers" ? [field.min] : field.min));
  });

  // Sizes at their maximum would ask for memory; their limit is tested just above it.
  it.runIf(typeof field.max === "number" && field.type !== "integer")("is accepted at its maximum", () => {
    expectAcceptedAtLimit(path, "max", withValue(field.type === "numbers" ? [field.max] : field.max));
  });

  it("is refused when it has the wrong type", () => {
    const wrong: Record<string, unknown[]> = {
      integer: ["8", true, [8], {}, 1.5, NaN, Infinity, -Infinity],
      number: ["8", true, [8], {}, NaN, Infinity, -Infinity],
      boolean: ["true", 1, 0, [], {}],
      choice: ["nonsense", 0, true, [], "", field.choices?.[0]?.toUpperCase()],
      numbers: ["8", true, {}, [NaN], [Infinity], ["1"], [true]],
    };
    for (const value of wrong[field.type]!) expectRefused(withValue(value), field.name);
  });
});

describe.each(descriptions.map((entry) => [entry.kind, entry] as const))("%s", (kind, entry) => {
  it("is valid at its examples and defaults, and tells the whole spec back", () => {
    const example = exampleSpec(entry);
    const encoding = loosely(createAny(example));
    expect(encoding.kind).toBe(kind);
    expect(encoding.family).toBe(entry.family);
    expect(Object.keys(encoding.spec).sort()).toEqual(["kind", ...entry.fields.map((field) => field.name)].sort());
    for (const field of entry.fields) {
      if (!field.required) expect(encoding.spec[field.name], field.name).toEqual(example[field.name] ?? field.default);
    }
  });

  it("makes the same encoding from the spec it tells back", () => {
    const { spec } = loosely(createAny(exampleSpec(entry)));
    expect(loosely(createAny(spec)).spec).toEqual(spec);
  });

  it("refuses unknown fields by name", () => {
    expectRefused(exampleSpec(entry, { colour: 3 }), "colour", /unknown|no such|known/i);
    expectRefused(exampleSpec(entry, { Dim: 8 }), "Dim");
  });

  it("does not keep the caller's object", () => {
    const spec = exampleSpec(entry);
    const before = JSON.stringify(spec);
    const encoding = loosely(createAny(spec));
    for (const name of Object.keys(spec)) if (name !== "kind") spec[name] = -1;
    expect(JSON.stringify({ ...encoding.spec, ...JSON.parse(before) })).toBe(JSON.stringify(encoding.spec));
  });
});

describe("rules across fields", () => {
  it.each<[Spec, string]>([
    [{ kind: "rope", dim: 7 }, "dim"],
    [{ kind: "rope", dim: 8, rotaryDim: 5 }, "rotaryDim"],
    [{ kind: "rope", dim: 8, rotaryDim: 10 }, "rotaryDim"],
    [{ kind: "rope-proportional", dim: 7 }, "dim"],
    [{ kind: "rope-yarn", dim: 8, factor: 4, originalLength: 64, betaFast: 1, betaSlow: 2 }, "betaFast"],
    [{ kind: "rope-longrope", dim: 8, shortFactor: [1, 1, 1], longFactor: [4], originalLength: 64 }, "shortFactor"],
    [{ kind: "rope-longrope", dim: 8, shortFactor: [1], longFactor: [4, 4, 4], originalLength: 64 }, "longFactor"],
    [{ kind: "rope-longrope", dim: 8, shortFactor: [], longFactor: [4], originalLength: 64 }, "shortFactor"],
    [{ kind: "rope", dim: 8, sections: [1, 1, 1] }, "sections"],
    [{ kind: "rope-mrope", dim: 128, sections: [16, 24, 25] }, "sections"],
    [{ kind: "rope-mrope", dim: 128, sections: [] }, "sections"],
    [{ kind: "rope", dim: 8, interleavedSections: true }, "interleavedSections"],
    [{ kind: "rope", dim: 8, axisOfPair: [0, 1] }, "axisOfPair"],
    [{ kind: "rope", dim: 8, rotaryDim: 4, rotaryStart: 5 }, "rotaryStart"],
    [{ kind: "rope-axial", dim: 62 }, "dim"],
    [{ kind: "rope-axial", dim: 64, axes: 3, axisDims: [32, 32] }, "axisDims"],
    [{ kind: "rope-axial", dim: 64, axisOrder: [0, 0] }, "axisOrder"],
    [{ kind: "alibi", heads: 4, activeHeads: 5 }, "activeHeads"],
    [{ kind: "sinusoidal-2d", dim: 8, normalize: true, baseSize: 16 }, "baseSize"],
    [{ kind: "sinusoidal-3d", dim: 16, temporalDim: 3 }, "temporalDim"],
    [{ kind: "sinusoidal-3d", dim: 16, temporalDim: 18 }, "temporalDim"],
    [{ kind: "fourier", dim: 7 }, "dim"],
    [{ kind: "fourier", dim: 10, inputs: 2, form: "linear" }, "dim"],
    [{ kind: "fourier", dim: 1024, form: "geometric" }, "maxFrequency"],
    [{ kind: "t5", heads: 4, buckets: 3 }, "buckets"],
    [{ kind: "sandwich", heads: 4, dim: 7 }, "dim"],
    [{ kind: "t5", heads: 4, maxDistance: 8 }, "maxDistance"],
    [{ kind: "t5", heads: 4, maxDistance: 16, bidirectional: false }, "maxDistance"],
  ])("%j", (spec, field) => expectRefused(spec, field));

  it.each([undefined, null, 3, "rope", [], {}, { kind: 3 }, { kind: "" }, { kind: "ROPE", dim: 8 }])(
    "%j is no spec",
    (spec) => {
      expect(refusalOf(spec).code).toBe("invalid-spec");
    },
  );

  it("names the kinds there are when the kind is unknown", () => {
    expectRefused({ kind: "rope-yarm", dim: 64 }, "kind", /rope-yarn/);
  });
});

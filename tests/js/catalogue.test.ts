// Is every kind complete: a formula, a source, shapes, and a test against numbers that somebody else published?
// (Its runnable snippet: tests/package/kinds.test.ts.)
import { describe, expect, it } from "vitest";
import { goldenCasesByKind, paperValues } from "./helpers/catalogue";
import { createAny, descriptions, loosely } from "./helpers/library";

const goldenByKind = goldenCasesByKind();

describe.each(paperValues)("$kind, $source", ({ kind, cases }) => {
  it.each(cases)("$spec: $call $options", ({ spec, call, options, dims, values, tolerance }) => {
    const result = loosely(createAny({ kind, ...spec }))[call](options);
    expect(result.dims).toEqual(dims);
    expect(result.data.length).toBe(values.length);
    values.forEach((value, i) =>
      expect(Math.abs(result.data[i] - value), `element ${i}`).toBeLessThanOrEqual(tolerance),
    );
  });
});

describe.each(descriptions)("$kind", ({ kind, formula, source, shapes, title, fields, parameters }) => {
  it("is described", () => {
    for (const text of [title, formula, source, shapes]) expect(text.trim()).not.toBe("");
    for (const { name, doc } of [...fields, ...parameters]) expect(doc, name).toMatch(/^.{8,}\.$/s);
    for (const { name, axes } of parameters) expect(axes, name).not.toBe("");
  });
  it("agrees with numbers from outside: golden cases, or the values of its definition", () => {
    const golden = goldenByKind.get(kind)?.length ?? 0;
    const paper = paperValues.find((values) => values.kind === kind)?.cases.length ?? 0;
    expect(golden + paper).toBeGreaterThan(0);
  });
});

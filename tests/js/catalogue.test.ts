// Is every kind complete: a formula, a source, shapes, and a test against numbers that somebody else published?
// (Its runnable snippet: tests/package/kinds.test.ts.)
import { describe, expect, it } from "vitest";
import { goldenCasesByKind, paperValues } from "./helpers/catalogue";
import { createAny, descriptions, loosely } from "./helpers/library";

const goldenByKind = goldenCasesByKind();

const isTensor = (options: object | undefined): options is { data: number[] } =>
  options !== undefined && "data" in options;

describe.each(paperValues)("$kind, $source", ({ kind, cases }) => {
  it.each(cases)("$spec: $call $options $part", ({ spec, call, options, part, dims, values, tolerance }) => {
    const encoding = loosely(createAny({ kind, ...spec }));
    const argument = isTensor(options) ? { ...options, data: Float32Array.from(options.data) } : options;
    const response = typeof encoding[call] === "function" ? encoding[call](argument) : encoding[call];
    const result = part === undefined ? response : response[part];
    const numbers = ArrayBuffer.isView(result) ? loosely(result) : result.data;
    expect(result.dims ?? [numbers.length]).toEqual(dims);
    expect(numbers.length).toBe(values.length);
    values.forEach((value, i) => expect(Math.abs(numbers[i] - value), `element ${i}`).toBeLessThanOrEqual(tolerance));
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
    const remedy =
      `neither a passing case in tests/fixtures/golden makes ${kind} (a mapping in tests/golden/map), ` +
      `nor has tests/fixtures/paper-values/${kind}.json values of its definition`;
    expect(golden + paper, remedy).toBeGreaterThan(0);
  });
});

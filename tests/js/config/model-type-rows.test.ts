// The table of model types: one row per type, and no row of a type that is nowhere.
import { describe, expect, it } from "vitest";
import type { ModelType } from "../../../web/src/config/model-types/row";
import { typeFacts } from "../../../web/src/config/model-types/table";

const makers = import.meta.glob<Record<string, () => Record<string, ModelType>>>(
  "../../../web/src/config/model-types/*.ts",
  { eager: true },
);
const others = /\/(row|shared|table)\.ts$/;
const files = Object.entries(makers).filter(([path]) => !others.test(path));
const rows = files.flatMap(([path, exports]) => {
  const file = path.replace(/.*\//, "");
  return Object.values(exports).flatMap((make) => Object.entries(make()).map(([type, row]) => ({ file, type, row })));
});

describe("the table of model types", () => {
  it("has each type once", () => {
    const files = new Map<string, string[]>();
    for (const { type, file } of rows) files.set(type, [...(files.get(type) ?? []), file]);
    expect([...files].filter(([, own]) => own.length > 1)).toEqual([]);
  });

  it("is made of all files", () => {
    expect(rows.length).toBeGreaterThan(480);
    expect(rows.filter(({ type }) => Object.keys(typeFacts(type)).length === 0)).toEqual([]);
  });

  it("has facts in every row", () => {
    expect(rows.filter(({ row }) => Object.values(row).every((value) => value === undefined))).toEqual([]);
  });
});

// Graphs of many shapes: what has positions is found, what cannot be changed is named, and nothing is invented.
import { describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { openModel, PosencError, type PositionalComponent, type OnnxModel } from "../helpers/onnx-models";
import { expected, wildBytes, type Facts } from "../helpers/wild-models";
import type { RewriteOptions } from "posenc/onnx";

const has = (component: PositionalComponent, facts: Facts = {}): boolean =>
  Object.entries(facts).every(([name, value]) =>
    name === "kind" ? component.spec?.kind === value : component[name as keyof PositionalComponent] === value,
  );

describe.each(Object.entries(expected))("%s", (name, { must = [], never = [], most = {}, named }) => {
  let opening: Promise<OnnxModel> | undefined;
  const opened = () => (opening ??= wildBytes(name).then((bytes) => openModel(bytes)));

  it("has the positions that its graph has, and no others", async () => {
    const { positions } = await opened();
    const of = (family: string) => positions.filter((component) => component.family === family);
    expect(positions.every(({ where }) => where.nodes.length + where.tensors.length > 0)).toBe(true);
    for (const [family, facts] of must)
      expect(
        of(family).some((component) => has(component, facts)),
        `${family} ${JSON.stringify(facts)}`,
      ).toBe(true);
    for (const family of never) expect(of(family)).toEqual([]);
    for (const [family, count] of Object.entries(most)) expect(of(family).length).toBeLessThanOrEqual(count);
  });

  it.runIf(named)("names what cannot be changed", async () => {
    const { positions } = await opened();
    const findings = (await opened()).audit(pe);
    const isNamed = positions.some(({ changeable }) => changeable === false) || findings.length > 0;
    expect(isNamed, JSON.stringify(findings)).toBe(true);
  });

  it.each<RewriteOptions>([
    { rotary: { kind: "rope", base: 500000 } },
    { rotary: { kind: "rope-yarn", factor: 4, originalLength: 64 } },
    { rotary: { kind: "rope-linear", factor: 2 }, length: 1024 },
    { bias: { kind: "alibi", slopes: [0.5, 0.125, 0.03125, 0.0078125] } },
    { bias: { kind: "t5", maxDistance: 1000 } },
    { length: 1024 },
    { length: 1024, resize: "linear" },
    { grid: [12, 12] },
    { angles: "float32" },
    { tables: "inputs" },
    { attention: true },
  ])("%j changes it, or is refused", async (options) => {
    const source = await wildBytes(name);
    const model = await opened();
    let changed;
    try {
      changed = await model.rewrite(pe, options);
    } catch (error) {
      expect(error).toBeInstanceOf(PosencError);
      expect((error as PosencError).message).toMatch(/^\w+: .{10}/);
      return;
    }
    const bytes = await changed.bytes();
    expect(bytes).not.toEqual(source);
    expect(changed.changes.length + Number(options.attention ?? 0)).toBeGreaterThan(0);
    // The positions of what was written are found again.
    const before = model.positions.map(({ family, form }) => `${family} ${form}`);
    const after = (await openModel(bytes)).positions.map(({ family, form }) => `${family} ${form}`);
    if (!options.tables) expect(after).toEqual(before);
  });
});

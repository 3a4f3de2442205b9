// `posenc/onnx` looks without WebAssembly: it has formulas of its own for the rules that it recognises. They agree with the core,
// and each rotation is recognised or listed here with what is found instead.
import type { KindsOf, Spec } from "posenc";
import { describe, expect, it } from "vitest";
import { matchSlopes } from "../../../web/src/onnx/find/bias";
import { matchFrequencies } from "../../../web/src/onnx/find/match";
import { pe } from "../helpers/library";

type Rotary = KindsOf["rotary"];
type Case<K extends Rotary> = readonly [
  spec: Omit<Extract<Spec, { kind: K }>, "kind" | "dim">,
  found: Rotary | undefined,
  why?: string,
];
const [base, originalLength] = [500000, 2048];
const cases: { readonly [K in Rotary]: Case<K> } = {
  rope: [{ base }, "rope"],
  "rope-linear": [{ base, factor: 4 }, "rope-linear"],
  "rope-yarn": [{ base, factor: 4, originalLength }, "rope-yarn"],
  "rope-llama3": [{ base, factor: 8, originalLength, lowFrequencyFactor: 1, highFrequencyFactor: 4 }, "rope-llama3"],
  "rope-ntk": [{ base, factor: 4 }, "rope", "it is plain rotation with a larger base"],
  "rope-dynamic": [{ base, factor: 2, originalLength }, "rope", "a graph has one length: a larger base"],
  "rope-qwen": [{ base, originalLength }, "rope", "a graph has one length: a larger base"],
  "rope-mrope": [{ base, sections: [8, 12, 12] }, "rope", "the axes of its pairs are found in the graph, not here"],
  xpos: [{ base }, "rope", "its magnitudes are not frequencies"],
  "rope-longrope": [
    {
      base,
      shortFactor: Array(32).fill(1),
      longFactor: Array.from({ length: 32 }, (_, k) => 1 + k / 3),
      originalLength,
    },
    undefined,
    "its factors are arbitrary: a config has them",
  ],
  "rope-proportional": [{ base, rotaryDim: 32 }, undefined, "a config has its share"],
  "rope-ntk-by-parts": [{ base, factor: 4, originalLength }, undefined, "no exporter writes it"],
  "rope-axial": [{ base, axes: 2 }, undefined, "the axes of its pairs are found in the graph, not here"],
};

const specs = Object.entries(cases).map(([kind, [fields, found]]) => ({ kind, dim: 64, ...fields, found }));
const frequenciesOf = (spec: object): Float64Array => {
  const encoding = pe.create(spec as Extract<Spec, { kind: Rotary }>);
  const frequencies = encoding.frequenciesAt(2 * originalLength);
  encoding.dispose();
  return frequencies;
};

describe("the frequencies of", () => {
  it.each(specs)("$kind are found as $found", ({ found, ...spec }) => {
    const match = matchFrequencies(frequenciesOf(spec), 1e-6);
    expect(match?.spec.kind).toBe(found);
  });

  const recognised = specs.filter(({ kind, found }) => kind === found);
  it.each(recognised)("$kind are the core's for other fields, too", ({ found: _, ...spec }) => {
    for (const dim of [32, 64, 128])
      for (const factor of [2, 8, 32]) {
        const given = "factor" in spec ? { ...spec, dim, factor } : { ...spec, dim };
        const match = matchFrequencies(frequenciesOf(given), 1e-6);
        const { kind, factor: wanted } = given as { kind: string; factor?: number };
        expect(match?.spec).toMatchObject({ kind, dim, base, ...(wanted && { factor: wanted }) });
        expect(match!.error).toBeLessThan(1e-6);
      }
  });
});

it.each([2, 8, 12, 32, 40, 112])("the slopes of ALiBi are the core's for %i heads", (heads) => {
  for (const maxBias of [8, 4, 16]) {
    const encoding = pe.create({ kind: "alibi", heads, maxBias });
    const match = matchSlopes([...encoding.slopes], "float32");
    encoding.dispose();
    if (heads < 4 && maxBias !== 8) continue;
    expect(match?.spec).toEqual({ kind: "alibi", heads, ...(maxBias !== 8 && { maxBias }) });
    expect(match!.error).toBeLessThan(1e-6);
  }
});

// Windows and remapped distances in decoders of many forms: what PyTorch computes with the same weights.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { init, type Remap } from "posenc";
import { openModel } from "posenc/onnx";
import { describe, expect, it } from "vitest";
import { maxDifference } from "../js/helpers/numbers";
import { runtimes } from "./runtimes";

const pe = await init();
interface Case {
  input_ids: number[][];
  position_ids?: number[][];
  logits: Record<string, number[]>;
}
const unpacked = (name: string) =>
  gunzipSync(readFileSync(fileURLToPath(new URL(`../fixtures/onnx-reach/${name}.gz`, import.meta.url))));
const { rules, window, cases }: { rules: Record<string, Remap>; window: number; cases: Record<string, Case> } =
  JSON.parse(new TextDecoder().decode(unpacked("truth.json")));

/** The logits of every 13th token from the second on. */
function kept({ data, dims }: { data: Float32Array; dims: number[] }): number[] {
  const [batch, tokens, words] = dims as [number, number, number];
  const rows: number[] = [];
  for (let b = 0; b < batch; b++)
    for (let t = 1; t < tokens; t += 13)
      rows.push(...data.subarray((b * tokens + t) * words, (b * tokens + t + 1) * words));
  return rows;
}

describe.each(Object.entries(cases))("%s", (name, { logits, ...inputs }) => {
  it.each(Object.entries(logits))("%s", async (rule, wanted) => {
    const model = await openModel(unpacked(`${name}.onnx`));
    const change =
      rule === "window" ? { window } : rule === "plain" ? { window: () => undefined } : { remap: rules[rule]! };
    const bytes = await (await model.rewrite(pe, change)).bytes();
    // The web runtime is asked a few: what it loads, it computes as the other does.
    for (const [, ort] of runtimes.slice(0, rule === "self-extend" ? 2 : 1)) {
      const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 4 });
      const ids = (rows: number[][]) =>
        new ort.Tensor("int64", BigInt64Array.from(rows.flat(), BigInt), [rows.length, rows[0]!.length]);
      const feeds = Object.entries(inputs).map(([input, rows]) => [input, ids(rows)]);
      const outputs = await session.run(Object.fromEntries(feeds));
      await session.release();
      // Logits are as large as 100.
      expect(maxDifference(kept(outputs.logits), wanted)).toBeLessThan(2e-4);
    }
  });
});

// A text that crosses the length at which LongRoPE changes its frequencies: cached keys get the new ones. Keys of the first layer
// depend on the words only, so there they are those of one pass over the whole text.
import { AutoModelForCausalLM, DynamicCache, Tensor, env } from "@huggingface/transformers";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { init } from "posenc";
import { openModel } from "posenc/onnx";
import { withRotaryTables } from "posenc/transformers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxDifference } from "../js/helpers/numbers";
import { models } from "./onnx-models";

const pe = await init();
const model = models.find(({ name }) => name === "phi3-longrope/model.onnx")!;
const [prompt, total] = [61, 68];
const factors = (value: number) => Array.from({ length: 8 }, (_, i) => value + i / 8);
const encoding = pe.create({
  ...{ kind: "rope-longrope", dim: 16, originalLength: 64 },
  ...{ factor: 4, shortFactor: factors(1), longFactor: factors(3) },
} as never) as any;

let folder: string;
let loaded: any;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "posenc-longrope-"));
  mkdirSync(join(folder, "phi3/onnx"), { recursive: true });
  cpSync(join(dirname(model.file), "config.json"), join(folder, "phi3/config.json"));
  const opened = await openModel(readFileSync(model.file), { externalData: model.externalData });
  writeFileSync(join(folder, "phi3/onnx/model.onnx"), await (await opened.rewrite(pe, { tables: "inputs" })).bytes());
  Object.assign(env, { allowRemoteModels: false, localModelPath: folder });
  loaded = await AutoModelForCausalLM.from_pretrained("phi3", { dtype: "fp32" });
  withRotaryTables(loaded, encoding);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const batch = 2;
const int64 = (data: number[], width: number) => new Tensor("int64", BigInt64Array.from(data, BigInt), [batch, width]);

/** Rows of random words; the first `pad` columns of the second row are padding. */
const columns = (from: number, to: number, pad: number) => ({
  ids: [0, 1].flatMap((row) => Array.from({ length: to - from }, (_, i) => 3 + (((from + i) * 7 + row * 11) % 50))),
  mask: [0, 1].flatMap((row) => Array.from({ length: to }, (_, i) => (row === 1 && i < pad ? 0 : 1))),
});

async function logitsOf(from: number, to: number, pad: number, cache?: object) {
  const { ids, mask } = columns(from, to, pad);
  const outputs = await loaded({
    input_ids: int64(ids, to - from),
    attention_mask: int64(mask, to),
    ...(cache && { past_key_values: cache }),
  });
  const { logits } = outputs;
  const width = logits.dims.at(-1)!;
  const last = [1, 2].flatMap((row) => [
    ...logits.data.slice((row * (to - from) - 1) * width, row * (to - from) * width),
  ]);
  const kept = Object.entries(outputs).filter(([name]) => name.startsWith("present."));
  const entries = kept.map(([name, tensor]) => [name.replace("present", "past_key_values"), tensor]);
  return { last, cache: new DynamicCache(Object.fromEntries(entries)) as any };
}

/** Keys of the first layer without those of padding. */
function firstKeys(cache: any, pad: number): number[] {
  const { data, dims } = cache["past_key_values.0.key"];
  const [, heads, tokens, dim] = dims;
  return Array.from<number>(data).filter((_, i) => {
    const row = Math.floor(i / (heads * tokens * dim));
    return row === 0 || Math.floor(i / dim) % tokens >= pad;
  });
}

describe("LongRoPE beyond its original length", () => {
  it.each([0, 5])("with %i padding tokens in one row", async (pad) => {
    let { cache } = await logitsOf(0, prompt, pad);
    for (let length = prompt + 1; length <= total; length++) {
      const step = await logitsOf(length - 1, length, pad, cache);
      const whole = await logitsOf(0, length, pad);
      const keys = [step.cache, whole.cache].map((one) => Float32Array.from(firstKeys(one, pad)));
      expect(maxDifference(keys[0]!, keys[1]!), `${length} tokens`).toBeLessThan(1e-5);
      if (length <= 64) expect(maxDifference(step.last, whole.last)).toBeLessThan(2e-5);
      cache = step.cache;
    }
  });
  it("changes the logits there: other frequencies are in use", async () => {
    const at = async (of: object) => {
      const undo = withRotaryTables(loaded, pe.create({ ...encoding.spec, ...of }) as any);
      const { last } = await logitsOf(0, total, 0);
      undo();
      return last;
    };
    expect(maxDifference(await at({}), await at({ longFactor: factors(1) }))).toBeGreaterThan(1e-3);
  });
});

// Rotations that a rewrite makes inputs of the graph: fed with the library's tables they compute what PyTorch computes, at
// lengths that frozen graphs know nothing of; and withRotaryTables feeds them in transformers.js.
import { AutoModelForCausalLM, Tensor, env } from "@huggingface/transformers";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { init } from "posenc";
import { openModel, type PositionalComponent } from "posenc/onnx";
import { rotaryInputs, withRotaryTables } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { maxDifference, range } from "../js/helpers/numbers";
import { errorOf, feedsOf, models, type Case, type Model } from "./onnx-models";
import { runtimes } from "./runtimes";

const pe = await init();
const scaled = { factor: 4, originalLength: 64 };
const variants: Record<string, object> = {
  linear4: { kind: "rope-linear", factor: 4 },
  dynamic4: { kind: "rope-dynamic", ...scaled },
  yarn4: { kind: "rope-yarn", ...scaled },
  theta: { kind: "rope", base: 370000 },
};
const lengthOf = ({ name }: Case) => Number(name.split("@")[1]);
const given = (model: Model) =>
  openModel(readFileSync(model.file), { externalData: model.externalData }).then(async (opened) => ({
    positions: opened.positions,
    bytes: await (await opened.rewrite(pe, { tables: "inputs", length: 256 })).bytes(),
  }));
const casesOf = ({ truth }: Model) => truth.cases.filter(({ name, rope }) => rope?.length === 1 && /@/.test(name));
const isExact = ({ name }: Model) => !/fp16|quantized|q4|webgpu/.test(name);
/** A base below the scaling of a config is no variant of its own. */
const variantOf = ({ name, rope_scaling: scaling }: Case) =>
  scaling && name.startsWith("theta") ? undefined : variants[name.split("@")[0]!];

async function encodingOf(component: PositionalComponent, one: Case) {
  const { dim, pairing, spec } = component;
  const base = (spec as { base?: number } | undefined)?.base ?? 10000;
  return pe.create({ dim, base, ...(pairing && { pairing }), precision: "float32", ...variantOf(one) } as never) as any;
}

const rotating = models.filter((model) => isExact(model) && casesOf(model).some(variantOf));
/** Both waves in one table, and two tables that the graph chooses from. */
const refusing = /gptj|(genai|mobius)-phi3/;

describe.each(rotating.map((model) => [model.name, model] as const))("%s", (name, model) => {
  if (refusing.test(name)) {
    it("says why not", async () => {
      await expect(given(model)).rejects.toThrow(/^tables: .*use `length` to add rows/);
    });
    return;
  }
  it("computes what PyTorch computes with the tables that it is given", async () => {
    const { positions, bytes } = await given(model);
    const [component] = positions;
    const [, ort] = runtimes[0]!;
    const externalData = Object.entries(model.externalData).map(([path, data]) => ({ path, data }));
    const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 4, externalData });
    const declared = session.inputMetadata.find((one: any) => one.name === "rope_cos");
    const layout = declared.shape.length === 3 ? "hf" : "onnx";
    let count = 0;
    for (const one of casesOf(model)) {
      if (!variantOf(one)) continue;
      const length = lengthOf(one);
      const encoding = await encodingOf(component!, one);
      const at = layout === "hf" ? { positions: range(length) } : { length };
      const { cos, sin } = rotaryInputs<any>(encoding, { ...at, layout, sequenceLength: length, Tensor: ort.Tensor });
      const {
        rope_cos: _,
        rope_sin: __,
        ...rest
      } = Object.fromEntries(session.inputMetadata.map((m: any) => [m.name, m]));
      const plain = { inputMetadata: Object.values(rest) };
      const outputs = await session.run({ ...feedsOf(ort, plain, model, one), rope_cos: cos, rope_sin: sin });
      expect(errorOf(outputs, model, one), one.name).toBeLessThan(1e-4);
      count++;
    }
    expect(count).toBeGreaterThan(2);
    await session.release();
  });
});

it("withRotaryTables feeds a frozen model in transformers.js, and dynamic NTK follows the length", async () => {
  const model = models.find(({ name }) => name === "llama/model.onnx")!;
  const folder = mkdtempSync(join(tmpdir(), "posenc-inputs-"));
  try {
    mkdirSync(join(folder, "llama/onnx"), { recursive: true });
    cpSync(join(dirname(model.file), "config.json"), join(folder, "llama/config.json"));
    const { bytes, positions } = await given(model);
    writeFileSync(join(folder, "llama/onnx/model.onnx"), bytes);
    Object.assign(env, { allowRemoteModels: false, localModelPath: folder });
    const loaded: any = await AutoModelForCausalLM.from_pretrained("llama", { dtype: "fp32" });
    for (const one of casesOf(model).filter(({ name }) => /^(dynamic|yarn)4@/.test(name))) {
      const undo = withRotaryTables(loaded, await encodingOf(positions[0]!, one));
      const length = lengthOf(one);
      const ids = model.tensor(one.inputs.input_ids!).data as BigInt64Array;
      const { logits } = await loaded({
        input_ids: new Tensor("int64", ids, [1, length]),
        attention_mask: new Tensor("int64", new BigInt64Array(length).fill(1n), [1, length]),
      });
      undo();
      const wanted = model.tensor(one.output).data as Float32Array;
      const width = logits.dims.at(-1);
      const rows = one.rows ?? range(length);
      const got = rows.flatMap((row) => Array.from<number>(logits.data.slice(row * width, (row + 1) * width)));
      expect(maxDifference(Float32Array.from(got), wanted), one.name).toBeLessThan(1e-4);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

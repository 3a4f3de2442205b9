// Several models, several changes, and what cannot be changed: in Node, with either version of transformers.js.
import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { usePositions } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { maxDifference } from "../js/helpers/numbers";
import {
  OwnCache,
  cases,
  external,
  llama,
  longer,
  pe,
  resized,
  yarn,
  type Case,
  type Options,
  type SetUp,
} from "./positions-setup";

export function describeSeveral(version: 3 | 4, library: any, module: string, at: SetUp): void {
  const { env, AutoConfig } = library;
  const { served, logitsOf, load, byHand } = at;

  describe(`transformers.js ${version}: several changes`, () => {
    const linear: Options = { rotary: { kind: "rope-linear", factor: 4 } };
    const typeOf = async (name: string): Promise<string> =>
      (await AutoConfig.from_pretrained(name)).rope_scaling?.rope_type ?? "default";

    it("of a model: the last one counts, whatever is undone first", async () => {
      const first = usePositions(env, pe, { "org/llama": longer, "org/llama-ext": longer });
      const second = usePositions(env, pe, { "org/llama": linear });
      expect([await typeOf("org/llama"), await typeOf("org/llama-ext")]).toEqual(["linear", "yarn"]);
      const model = await load(llama);
      expect(maxDifference(await logitsOf(model), await byHand({ ...llama, options: linear }))).toBe(0);
      first();
      first();
      expect([await typeOf("org/llama"), await typeOf("org/llama-ext")]).toEqual(["linear", "default"]);
      const third = usePositions(env, pe, { "org/llama": longer });
      expect(await typeOf("org/llama")).toBe("yarn");
      third();
      expect(await typeOf("org/llama")).toBe("linear");
      second();
      expect(await typeOf("org/llama")).toBe("default");
    });

    it("leave alone what somebody has put in their place", async () => {
      const undo = usePositions(env, pe, { "org/llama": longer });
      const own = new OwnCache();
      env.customCache = own;
      undo();
      expect(env.customCache).toBe(own);
      Object.assign(env, { useCustomCache: false, customCache: null });
    });

    it("all at once", async () => {
      const undo = usePositions(env, pe, { "org/llama": longer, "org/llama-ext": longer, "org/gpt2": resized });
      const some = [llama, external, cases[3]![1], llama, external];
      const logits = await Promise.all(
        (await Promise.all(some.map((one) => load(one)))).map((model) => logitsOf(model)),
      );
      undo();
      for (const [i, one] of some.entries()) expect(maxDifference(logits[i]!, await byHand(one)), one.model).toBe(0);
    });

    it("take their files along when the program ends", () => {
      const program = `
        import { AutoModelForCausalLM, env } from ${JSON.stringify(module)};
        import { init } from "posenc";
        import { usePositions } from "posenc/transformers";
        import { readdirSync } from "node:fs";
        Object.assign(env, ${JSON.stringify({ remoteHost: served.url, cacheDir: env.cacheDir, allowRemoteModels: false })});
        Object.assign(env, { allowLocalModels: true, localModelPath: ${JSON.stringify(join(served.root, "local"))} });
        usePositions(env, await init(), { "org/llama-ext": ${JSON.stringify(longer)} });
        await AutoModelForCausalLM.from_pretrained("org/llama-ext", { dtype: "fp32" });
        console.log(readdirSync(process.env.TMPDIR).length);
      `;
      const folder = import.meta.dirname;
      const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(Number(output)).toBe(1);
      expect(readdirSync(join(served.root, "tmp"))).toEqual([]);
    });
  });

  describe(`transformers.js ${version}: what cannot be done`, () => {
    const failing = async (models: Parameters<typeof usePositions>[2], one: Case): Promise<any> => {
      const undo = usePositions(env, pe, models);
      try {
        return await load(one).catch((error: unknown) => error);
      } finally {
        undo();
      }
    };

    it("is told by what loads the model", async () => {
      const gpt2 = cases[3]![1];
      expect(await failing({ "org/gpt2": longer }, gpt2)).toMatchObject({
        ...{ name: "PosencError", code: "unsupported", field: "rotary" },
        message:
          "rotary: onnx/model_quantized.onnx of org/gpt2: needs a rotation; this model has table (gathered, 64 rows, dim 64)",
      });
      expect(await failing({ "org/llama": { rotary: { kind: "rope", dim: 64 } } }, llama)).toMatchObject({
        ...{ name: "PosencError", code: "shape-mismatch" },
        message: "rotary: has 32 pairs, the model has 8",
      });
      expect(await failing({ "org/llama": { rotary: { ...yarn, factor: 0.5 } } }, llama)).toMatchObject({
        message: "rope-yarn.factor: must be ≥ 1, got 0.5",
      });
    });

    it("with external data, too", async () => {
      const wrong: Options = { rotary: { kind: "rope", dim: 64 } };
      expect(await failing({ "org/llama-ext": wrong }, external)).toMatchObject({ code: "shape-mismatch" });
    });

    it("leaves missing models to transformers.js", async () => {
      const error = await failing({ "org/nothing": longer }, { ...llama, model: "org/nothing" });
      expect(error.message).toMatch(/Could not locate file: ".*org\/nothing\/resolve\/main\/config\.json"/);
    });

    it("tells of files that are no models", async () => {
      writeFileSync(join(served.root, "hub", "org/llama/resolve/main/onnx/model_q4.onnx"), "<!doctype html>");
      const broken = await failing({ "org/llama": longer }, { ...llama, dtype: "q4" });
      expect(broken).toMatchObject({ name: "PosencError", code: "load-failed" });
    });
  });
}

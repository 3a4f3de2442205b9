// Models of transformers.js that are loaded with other positions, in Node: the same is asked of both versions.
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { usePositions, withRotaryTables } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { maxDifference } from "../js/helpers/numbers";
import { trained, writeRepositories } from "./hub";
import { errorOf, models as exported } from "./onnx-models";
import { describeSeveral } from "./positions-several";
import { OwnCache, cases, external, filesBelow, llama, longer, pe, resized, setUp, yarn } from "./positions-setup";

export function describePositions(version: 3 | 4, library: any, module: string): void {
  const { env, AutoModel, AutoProcessor, AutoTokenizer, RawImage, Tensor, pipeline } = library;
  const at = setUp(library);
  const { served, original, logitsOf, load, byHand, expectOriginals } = at;

  describe(`transformers.js ${version}: what is loaded`, () => {
    it.each(cases)("%s: is what `rewrite` makes, from a cache of originals", async (_, one) => {
      const { model: name, options, file, data } = one;
      const undo = usePositions(env, pe, { [name]: options });
      const model = await load(one);
      const tokenizer = await AutoTokenizer.from_pretrained(name);
      const changed = await logitsOf(model);
      // Again, from the cache.
      expect(maxDifference(await logitsOf(await load(one)), changed)).toBe(0);
      undo();
      expect(maxDifference(changed, await byHand(one))).toBe(0);
      expect(tokenizer.model_max_length).toBe(4 * trained);
      expect(model.config.max_position_embeddings ?? model.config.n_positions).toBe(4 * trained);
      const onnx = [file, ...(data ? [data] : [])].map((path) => `onnx/${path}`);
      const read = ["config.json", "tokenizer.json", "tokenizer_config.json", ...onnx];
      expectOriginals(
        env.cacheDir,
        read.map((path) => `${name}/${path}`),
      );
      const plain = await load(one);
      expect(plain.config.max_position_embeddings ?? plain.config.n_positions).toBe(trained);
      expect((await AutoTokenizer.from_pretrained(name)).model_max_length).toBe(trained);
      // A learned table ends where it ends.
      if (options === resized) await expect(logitsOf(plain)).rejects.toThrow();
      else expect(maxDifference(await logitsOf(plain), changed)).toBeGreaterThan(0.1);
    });

    it("computes what PyTorch computes with these positions", async () => {
      const truth = exported.find(({ name }) => name === "llama/model.onnx")!;
      const one = truth.truth.cases.find(({ name }) => name === "yarn4@192")!;
      const undo = usePositions(env, pe, { "org/llama": longer });
      const model = await load(llama);
      const { data, dims } = truth.tensor(one.inputs["input_ids"]!);
      const logits = await logitsOf(model, new Tensor("int64", data, dims));
      expect(errorOf({ logits: { data: logits, dims: [1, dims[1], 160] } }, truth, one)).toBeLessThan(1e-4);
      expect(pe.fromConfig({ ...model.config }).spec).toMatchObject({ ...yarn, dim: 16, base: 10000 });
      undo();
    });

    it("with a signal, and progress of the graph's bytes", async () => {
      const seen: { done: number; total: number }[] = [];
      const undo = usePositions(
        env,
        pe,
        { "org/llama": longer },
        { onProgress: (progress) => void seen.push(progress) },
      );
      await load(llama);
      undo();
      expect(seen.length).toBeGreaterThan(0);
      expect(seen.at(-1)!.done).toBe(seen.at(-1)!.total);
      const signal = AbortSignal.abort(new Error("no more"));
      const undoAborted = usePositions(env, pe, { "org/llama": longer }, { signal });
      await expect(load(llama)).rejects.toThrow("no more");
      undoAborted();
    });

    it("in a pipeline that tells of its progress", async () => {
      const undo = usePositions(env, pe, { "org/llama": longer });
      const events: any[] = [];
      const options = { dtype: "fp32", progress_callback: (event: any) => events.push(event) };
      const generator = await pipeline("text-generation", "org/llama", options);
      const prompt = Array.from({ length: 3 * trained }, (_, i) => `w${2 + ((i * 37) % 158)}`).join(" ");
      const ask = async (one: any) =>
        (await one(prompt, { max_new_tokens: 5, return_full_text: false }))[0].generated_text;
      const result = await ask(generator);
      undo();
      expect(events.filter(({ status }) => status === "done").map(({ file }) => file)).toContain("onnx/model.onnx");
      expect(events.at(-1).status).toBe("ready");
      expect(await ask(await pipeline("text-generation", "org/llama", { dtype: "fp32" }))).not.toBe(result);
    });

    it("images of another size", async () => {
      const truth = exported.find(({ name }) => name === "vit-tjs/model.onnx")!;
      const one = truth.truth.cases.find(({ name }) => name === "px48")!;
      const undo = usePositions(env, pe, { "org/vit": { grid: [6, 6] } });
      const model = await AutoModel.from_pretrained("org/vit", { dtype: "fp32" });
      const processor = await AutoProcessor.from_pretrained("org/vit");
      undo();
      expect(model.config.image_size).toBe(48);
      const { pixel_values } = await processor(new RawImage(new Uint8ClampedArray(3 * 20 * 30), 20, 30, 3));
      expect(pixel_values.dims).toEqual([1, 3, 48, 48]);
      const { data, dims } = truth.tensor(one.inputs["pixel_values"]!);
      const outputs = await model({ pixel_values: new Tensor("float32", data, dims) });
      expect(errorOf(outputs, truth, one)).toBeLessThan(1e-4);
    });

    it("a graph that takes tables, which withRotaryTables then gives", async () => {
      const wanted = await byHand(llama);
      const undo = usePositions(env, pe, { "org/llama": { tables: "inputs" } });
      const model = await load(llama);
      undo();
      const encoding = pe.create({ ...yarn, dim: 16 });
      // onnxruntime of version 3 does not tell what a graph declares.
      withRotaryTables(model, encoding, version === 3 ? { layout: "hf" } : {});
      expect(maxDifference(await logitsOf(model), wanted)).toBeLessThan(1e-4);
      encoding.dispose();
    });

    it("attention weights among the outputs", async () => {
      const undo = usePositions(env, pe, { "org/llama": { attention: true } });
      const model = await load(llama);
      undo();
      const { "decoder_attentions.1": weights, logits } = await model(
        await (
          await AutoTokenizer.from_pretrained("org/llama")
        )("w5 w6 w7"),
      );
      expect([weights.dims, logits.dims]).toEqual([
        [1, 4, 3, 3],
        [1, 3, 160],
      ]);
      const sums = weights.sum(3).data as Float32Array;
      expect(maxDifference(sums, new Float32Array(12).fill(1))).toBeLessThan(1e-5);
    });

    it("from a folder of models, and by the folder's own name", async () => {
      const wanted = await byHand(external);
      Object.assign(env, {
        allowLocalModels: true,
        allowRemoteModels: false,
        localModelPath: join(served.root, "local"),
      });
      for (const name of ["org/llama-ext", `${join(served.root, "local")}/org/llama-ext`]) {
        const undo = usePositions(env, pe, { [name]: longer });
        const model = await load({ ...external, model: name });
        expect(maxDifference(await logitsOf(model), wanted), name).toBe(0);
        expect(model.config.max_position_embeddings).toBe(4 * trained);
        undo();
      }
      expectOriginals(env.cacheDir, []);
    });

    it("with external data that only the graph names", async () => {
      const folder = mkdtempSync(join(served.root, "bare-"));
      cpSync(join(served.root, "local", external.model), folder, { recursive: true });
      cpSync(join(served.root, "local", llama.model, "config.json"), join(folder, "config.json"));
      // Version 3 hands onnxruntime paths with its own cache alone.
      Object.assign(env, { allowLocalModels: true, allowRemoteModels: false, useFSCache: version === 3 });
      const undo = usePositions(env, pe, { [folder]: longer });
      const model = await load({ ...external, model: folder });
      undo();
      expect(maxDifference(await logitsOf(model), await byHand(external))).toBe(0);
    });

    it("of another revision", async () => {
      writeRepositories(join(served.root, "hub"), (model) => `${model}/resolve/v%2F2`.replace("%2F", "-"));
      const undo = usePositions(env, pe, { "org/llama": longer });
      const model = await load(llama, { revision: "v-2" });
      undo();
      expect(model.config.max_position_embeddings).toBe(4 * trained);
      const key = (path: string) => path.replace("/v-2/", "/");
      expectOriginals(env.cacheDir, ["org/llama/v-2/config.json", "org/llama/v-2/onnx/model.onnx"], key);
    });
  });

  describe(`transformers.js ${version}: the user's own cache`, () => {
    it("holds originals, and no others", async () => {
      const own = new OwnCache();
      Object.assign(env, { useCustomCache: true, customCache: own, useFSCache: false });
      // Version 3 gives onnxruntime-node no external data that are no files.
      const one = version === 3 ? llama : external;
      const undo = usePositions(env, pe, { [one.model]: longer });
      const [model, tokenizer] = [await load(one), await AutoTokenizer.from_pretrained(one.model)];
      const again = await load(one);
      expect(env.customCache).not.toBe(own);
      undo();
      expect([env.useCustomCache, env.customCache === own]).toEqual([true, true]);
      Object.assign(env, { useCustomCache: false, customCache: null, useFSCache: true });
      const wanted = await byHand(one);
      expect(maxDifference(await logitsOf(model), wanted)).toBe(0);
      expect(maxDifference(await logitsOf(again), wanted)).toBe(0);
      expect(tokenizer.model_max_length).toBe(4 * trained);
      expect(own.held.size).toBe(version === 3 ? 4 : 5);
      for (const [key, { bytes }] of own.held) {
        expect(key.startsWith(`${served.url}${one.model}/resolve/main/`), key).toBe(true);
        expect(Buffer.compare(bytes, original(one.model, key.replace(/^.*\/resolve\/main\//, ""))), key).toBe(0);
      }
      expectOriginals(env.cacheDir, []);
    });

    it("may answer with paths", async () => {
      const folder = mkdtempSync(join(served.root, "paths-"));
      const pathOf = (key: string) => join(folder, key.replace(/^.*\/resolve\/main\//, "").replaceAll("/", "+"));
      const customCache = {
        match: async (key = "") => {
          const path = pathOf(key);
          if (!existsSync(path)) return undefined;
          return path.endsWith(".json") ? new Response(new Uint8Array(readFileSync(path))) : path;
        },
        put: async (key: string, response: Response) =>
          writeFileSync(pathOf(key), Buffer.from(await response.arrayBuffer())),
      };
      Object.assign(env, { useCustomCache: true, customCache });
      const undo = usePositions(env, pe, { "org/llama": longer });
      const model = await load(llama);
      undo();
      Object.assign(env, { useCustomCache: false, customCache: null });
      expect(maxDifference(await logitsOf(model), await byHand(llama))).toBe(0);
      expect(Buffer.compare(readFileSync(pathOf("onnx/model.onnx")), original("org/llama", "onnx/model.onnx"))).toBe(0);
    });

    it("goes on serving other models, and none of their files changes", async () => {
      const undo = usePositions(env, pe, { "org/gpt2": resized });
      const first = await logitsOf(await load(external));
      const kept = filesBelow(env.cacheDir);
      const second = await logitsOf(await load(external));
      undo();
      const third = await logitsOf(await load(external));
      expect([maxDifference(first, second), maxDifference(first, third)]).toEqual([0, 0]);
      expect(filesBelow(env.cacheDir)).toEqual(kept);
      const files = ["config.json", "onnx/model.onnx", "onnx/model.onnx_data"].map((file) => `org/llama-ext/${file}`);
      expectOriginals(env.cacheDir, files);
    });
  });

  describeSeveral(version, library, module, at);
}

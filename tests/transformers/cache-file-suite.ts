// Texts that transformers.js has read as files: put back, moved, one after the other.
import { init } from "posenc";
import { openCache, restoreCache, saveCache, spliceCache } from "posenc/cache-file";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writeModels } from "../../examples/transformers/models/files.js";
import { maxDifference } from "../js/helpers/numbers";

const pe = await init();

export function describeCacheFiles(version: 3 | 4, { env, AutoModelForCausalLM, DynamicCache, Tensor }: any): void {
  describe(`transformers.js ${version}`, () => {
    let model: any;
    let ids: number[];
    let encoding: any;
    beforeAll(async () => {
      const folder = writeModels();
      Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: folder });
      model = await AutoModelForCausalLM.from_pretrained("bible", { dtype: "fp16" });
      const { vocab } = JSON.parse(readFileSync(join(folder, "bible/tokenizer.json"), "utf8")).model;
      ids = Array.from(readFileSync(join(folder, "bible/held-out.txt"), "utf8").slice(0, 400), (one) => vocab[one]);
      encoding = await pe.layers(model.config);
    });

    const int64 = (numbers: number[]) => new Tensor("int64", BigInt64Array.from(numbers, BigInt), [1, numbers.length]);
    /** As generate passes it on. */
    const cacheOf = (tensors: object) => (version === 4 ? new DynamicCache(tensors) : tensors);
    async function read(text: number[], past: Record<string, any> = {}, first = 0) {
      const before = past["past_key_values.0.key"]?.dims[2] ?? 0;
      const outputs = await model.forward({
        input_ids: int64(text),
        attention_mask: int64(Array<number>(before + text.length).fill(1)),
        position_ids: int64(text.map((_, i) => before + first + i)),
        ...(before > 0 && { past_key_values: cacheOf(past) }),
      });
      const present = Object.entries(outputs).filter(([name]) => name.startsWith("present."));
      const cache: any = Object.fromEntries(
        present.map(([name, x]) => [name.replace("present", "past_key_values"), x]),
      );
      return { logits: outputs.logits, cache };
    }
    const saved = async (text: number[], options: object = {}) => {
      const { cache } = await read(text);
      return openCache(await saveCache(pe, cacheOf(cache), { encoding, tokens: text, ...options }));
    };

    it("a prefix gives the same logits, bit for bit", async () => {
      const [text, more] = [ids.slice(0, 120), ids.slice(120, 140)];
      const { cache } = await read(text);
      const wanted = await read(more, cache);
      const restored = await restoreCache(pe, await saved(text), { encoding, Tensor });
      const { logits } = await read(more, restored);
      expect(logits.dims).toEqual([1, 20, logits.dims[2]]);
      expect(logits.data).toEqual(wanted.logits.data);
    });

    it("generate goes on from it", async () => {
      const text = ids.slice(0, 60);
      const options = { max_new_tokens: 12, do_sample: false };
      const wanted = await model.generate({ inputs: int64(text), ...options });
      const file = await saved(text.slice(0, -1));
      const past = cacheOf(await restoreCache(pe, file, { encoding, Tensor }));
      // Version 3 takes the new ids alone.
      const given = version === 4 ? text : text.slice(-1);
      const attention_mask = int64(Array<number>(text.length).fill(1));
      const answer = await model.generate({ inputs: int64(given), attention_mask, past_key_values: past, ...options });
      expect(Array.from(answer.data).slice(-12)).toEqual(Array.from(wanted.data).slice(-12));
    });

    it("elsewhere it has the keys of a text that was read there", async () => {
      const text = ids.slice(0, 100);
      const { cache } = await read(text, {}, 90);
      for (const [type, limit] of [
        ["float32", 5e-5],
        ["float16", 2e-2],
        ["int8", 0.2],
      ] as const) {
        const moved: any = await restoreCache(pe, await saved(text, { type }), { encoding, Tensor, at: 90 });
        for (const [name, { data }] of Object.entries<any>(cache))
          expect(maxDifference(moved[name].data, data), `${type} ${name}`).toBeLessThan(limit);
      }
    });

    it("texts one after the other: what is read again is as if all was read at once", async () => {
      const texts = [ids.slice(0, 90), ids.slice(200, 280)];
      const files = [await saved(texts[0]!), await saved(texts[1]!)];
      const question = ids.slice(280, 300);
      const whole = await read(texts.flat());
      const wanted = await read(question, whole.cache);
      const differences: number[] = [];
      for (const recompute of [0, 0.15, 0.5, 1]) {
        const past = await spliceCache(pe, files, { encoding, Tensor, reader: model, recompute });
        const { logits } = await read(question, past);
        const apart = logits.data.map((logit: number, i: number) => Math.abs(logit - wanted.logits.data[i]));
        differences.push(apart.reduce((sum: number, one: number) => sum + one) / apart.length);
        for (const side of ["key", "value"]) {
          const name = `past_key_values.3.${side}`;
          const rows = Math.ceil(90 + recompute * 80);
          const [got, all] = [past[name], whole.cache[name]].map(({ data, dims: [, , tokens, width] }: any) =>
            data.subarray(0, Math.min(rows, tokens) * width),
          );
          expect(maxDifference(got, all), name).toBeLessThan(2e-4);
        }
      }
      expect(differences.at(-1)!).toBeLessThan(1e-4);
      expect(differences[0]!).toBeGreaterThan(0.01);
    });

    it("refuses texts without tokens, and models that return no keys", async () => {
      const text = ids.slice(0, 30);
      const without = await saved(text, { tokens: undefined });
      const options = { encoding, Tensor, reader: model, recompute: 0.5 };
      await expect(spliceCache(pe, [without, without], options)).rejects.toThrow(/^files: must have tokens/);
      const reader = { forward: async () => ({}) };
      const file = await saved(text);
      await expect(spliceCache(pe, [file, file], { ...options, reader })).rejects.toThrow(
        /^reader: must return keys and values \[1, 4, 45, 32\], got undefined/,
      );
    });
  });
}

// The real transformers.js with models from disk: what its pipelines give, step by step, is what posenc computes.
import { AutoModelForCausalLM, AutoTokenizer, Tensor, env, pipeline } from "@huggingface/transformers";
import { init } from "posenc";
import { addPositional, positionIds, rotaryInputs, withRotaryTables } from "posenc/transformers";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeModels } from "../../examples/transformers/models/files.js";
import { recaller, trainedLength } from "../../examples/transformers/models/recaller.js";
import { maxDifference, range } from "../js/helpers/numbers";
import { logitsOf, type Llama } from "./llama-reference";

const pe = await init();
const llama = recaller as unknown as Llama;
const rope = pe.fromConfig(recaller.config) as ReturnType<typeof pe.create<"rope">>;
const yarn = pe.create({ kind: "rope-yarn", dim: 8, base: 100, factor: 4, originalLength: trainedLength });
const options = { dtype: "fp32" } as const;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "posenc-models-"));
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = writeModels(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const prompt = (length: number, colour = "gold") => `remember ${colour} ${"hum ".repeat(length - 3)}colour`;
const rowOf = ({ data, dims }: any, row: number): Float32Array =>
  data.slice(row * dims.at(-1), (row + 1) * dims.at(-1));

interface Step {
  inputs: Record<string, any>;
  /** What the cache held before; `generate` goes on with the same objects. */
  past: number;
  outputs: Record<string, any>;
}

/** Runs `work` and notes what each forward pass of the model got and gave. */
async function watched(model: any, work: () => Promise<unknown>): Promise<{ steps: Step[]; result: any }> {
  const steps: Step[] = [];
  const forward = model._forward;
  model._forward = async (self: unknown, given: any) => {
    const inputs = { ...given };
    const past = given.past_key_values?.get_seq_length() ?? 0;
    const outputs = await forward(self, given);
    steps.push({ inputs, past, outputs: { ...outputs } });
    return outputs;
  };
  const result = await work().finally(() => (model._forward = forward));
  return { steps, result };
}

describe("text-generation at four times the trained length", async () => {
  let generator: any;
  beforeAll(async () => {
    generator = await pipeline("text-generation", "recaller", options);
  });
  const answerAt = async (length: number) => {
    const [{ generated_text: text }] = await generator(prompt(length), { max_new_tokens: 1, return_full_text: false });
    return text.trim();
  };

  it("fails beyond with RoPE, works with YaRN, and undo takes the tables out", async () => {
    const withTables = async (encoding: typeof rope | typeof yarn) => {
      const undo = withRotaryTables(generator.model, encoding);
      const results = [await answerAt(trainedLength - 1), await answerAt(4 * trainedLength - 1)];
      undo();
      return results;
    };
    expect(await withTables(rope)).toEqual(["gold", "forgotten"]);
    expect(await withTables(yarn)).toEqual(["gold", "gold"]);
    await expect(generator.model({ ...generator.tokenizer("hum") })).rejects.toThrow("rope_cos");
  });

  it("gives each step the logits that posenc's own attention gives", async () => {
    const [asked, total] = [8, 4 * trainedLength];
    const undo = withRotaryTables(generator.model, yarn);
    const { steps, result } = await watched(generator.model, () =>
      generator(prompt(asked), { max_new_tokens: total - asked }),
    );
    undo();
    const ids = Array.from(generator.tokenizer(result[0].generated_text).input_ids.data as BigInt64Array, Number);
    expect([ids.length, steps.length]).toEqual([total, total - asked]);
    // One token at a time behind the cache, but for the prompt.
    expect(steps.map(({ inputs }) => inputs["input_ids"].dims[1])).toEqual([
      asked,
      ...Array(total - asked - 1).fill(1),
    ]);
    const wanted = logitsOf(pe, llama, yarn, ids);
    const plain = logitsOf(pe, llama, rope, ids);
    let [worst, apart] = [0, 0];
    let position = 0;
    for (const { outputs } of steps)
      for (let row = 0; row < outputs["logits"].dims[1]; row++, position++) {
        worst = Math.max(worst, maxDifference(rowOf(outputs["logits"], row), wanted[position]!));
        apart = Math.max(apart, maxDifference(plain[position]!, wanted[position]!));
      }
    expect(position).toBe(total - 1);
    expect(worst).toBeLessThan(2e-5);
    // Other tables would have shown.
    expect(apart).toBeGreaterThan(0.1);
  });

  it("keeps its cache of keys in step", async () => {
    const undo = withRotaryTables(generator.model, yarn);
    const { steps } = await watched(generator.model, () => generator(prompt(6), { max_new_tokens: 3 }));
    undo();
    expect(steps.map(({ outputs }) => outputs["present.0.key"].dims.at(-2))).toEqual([6, 7, 8]);
  });

  it("tells that an ordinary graph has its tables inside", async () => {
    const model: any = await AutoModelForCausalLM.from_pretrained("counter", options);
    expect(() => withRotaryTables(model, rope)).toThrow(/must have cos and sin tables as inputs, got .*position_ids/);
  });
});

describe("a batch padded on the left", async () => {
  let [tokenizer, model]: any[] = [];
  beforeAll(async () => {
    tokenizer = await AutoTokenizer.from_pretrained("counter");
    tokenizer.padding_side = "left";
    model = await AutoModelForCausalLM.from_pretrained("counter", options);
  });
  const prompts = ["clap", "clap clap clap"];
  const lastLogits = async (inputs: object) => {
    const { logits } = await model(inputs);
    return range(logits.dims[0]).map((row) => rowOf(logits, (row + 1) * logits.dims[1] - 1));
  };

  it("has the logits of each prompt alone with right position ids, and others with wrong ones", async () => {
    const batch = tokenizer(prompts, { padding: true });
    const ids = positionIds<Tensor>(batch.attention_mask);
    expect(ids).toBeInstanceOf(Tensor);
    expect(ids.tolist()).toEqual([
      [0n, 0n, 0n],
      [0n, 1n, 2n],
    ]);
    const separate = await Promise.all(prompts.map(async (text) => (await lastLogits(tokenizer(text)))[0]!));
    const right = await lastLogits({ ...batch, position_ids: ids });
    expect(right).toEqual(separate);
    const wrongIds = new Tensor("int64", BigInt64Array.from([0, 1, 2, 0, 1, 2], BigInt), [2, 3]);
    const wrong = await lastLogits({ ...batch, position_ids: wrongIds });
    expect(wrong[1]).toEqual(separate[1]);
    expect(maxDifference(wrong[0]!, separate[0]!)).toBeGreaterThan(0.5);
  });

  it("goes by the ids that transformers.js makes itself", async () => {
    const batch = tokenizer(prompts, { padding: true });
    const { steps } = await watched(model, () => model.generate({ ...batch, max_new_tokens: 3 }));
    const sent: unknown[] = [];
    const session = model.sessions.model;
    const run = session.run;
    session.run = (feeds: any, ...more: unknown[]) => (
      sent.push([...feeds.position_ids.data]),
      run.call(session, feeds, ...more)
    );
    await model.generate({ ...batch, max_new_tokens: 3 }).finally(() => (session.run = run));
    const wanted = steps.map(({ inputs, past }) => [
      ...positionIds<Tensor>(inputs["attention_mask"], { padding: 1, pastLength: past }).data,
    ]);
    expect(sent).toEqual(wanted);
    expect(sent).toEqual([
      [1n, 1n, 0n, 0n, 1n, 2n],
      [1n, 3n],
      [2n, 4n],
    ]);
  });

  it("with RoPE and a cache: each row as if it were alone", async () => {
    const generator: any = await pipeline("text-generation", "recaller", options);
    const texts = [prompt(5, "red"), prompt(40, "blue")];
    const undo = withRotaryTables(generator.model, yarn);
    const { steps, result } = await watched(generator.model, () => generator(texts, { max_new_tokens: 3 }));
    undo();
    expect(result.map(([{ generated_text: text }]: any) => text.split(" ").at(-3))).toEqual(["red", "blue"]);
    texts.forEach((_, row) => {
      const ids = Array.from(
        generator.tokenizer(result[row][0].generated_text).input_ids.data as BigInt64Array,
        Number,
      );
      const wanted = logitsOf(pe, llama, yarn, ids);
      steps.forEach(({ outputs: { logits } }, step) => {
        const last = rowOf(logits, (row + 1) * logits.dims[1] - 1);
        expect(maxDifference(last, wanted[ids.length - 4 + step]!)).toBeLessThan(2e-5);
      });
    });
  });
});

describe("tensors of transformers.js", async () => {
  const sinusoidal = pe.create({ kind: "sinusoidal", dim: 32 });

  it("go through addPositional as what they are", async () => {
    const extractor: any = await pipeline("feature-extraction", "word-vectors", options);
    const [one, other] = [await extractor("dog bites man"), await extractor("man bites dog")];
    expect(maxDifference(one.mean(1).data, other.mean(1).data)).toBeLessThan(1e-6);
    const withPositions = addPositional<Tensor>(one, sinusoidal);
    expect(withPositions).toBeInstanceOf(Tensor);
    expect(withPositions.dims).toEqual([1, 3, 32]);
    const added = (withPositions.data as Float32Array).map((x, i) => x - one.data[i]);
    expect(maxDifference(added, sinusoidal.table({ length: 3 }).data)).toBeLessThan(1e-6);
  });

  it("take a mask as the tokenizer made it", async () => {
    const tokenizer: any = await AutoTokenizer.from_pretrained("word-vectors");
    tokenizer.padding_side = "left";
    const { attention_mask: mask } = tokenizer(["dog", "dog bites man"], { padding: true });
    const zeros = new Tensor("float32", new Float32Array(2 * 3 * 32), [2, 3, 32]);
    const { data } = addPositional<Tensor>(zeros, sinusoidal, { mask });
    const first = sinusoidal.table({ length: 1 }).data;
    expect(maxDifference((data as Float32Array).slice(64, 96), first)).toBe(0);
    expect((data as Float32Array).slice(0, 64).every((x) => x === 0)).toBe(true);
  });

  it("come out of rotaryInputs by an injected class", () => {
    const { cos } = rotaryInputs(rope, { length: 4, Tensor });
    expect(cos).toBeInstanceOf(Tensor);
    expect(cos.dims).toEqual([4, 4]);
  });

  it("give a clear error where they are on the GPU", () => {
    const gpu = { type: "float32", dims: [1, 1, 32], location: "gpu-buffer" } as never;
    expect(() => addPositional(gpu, sinusoidal)).toThrow(/gpu-buffer; pass { gpu }/);
  });
});

// Run in a page by webgpu.test.ts: each call answers what transformers.js computes on the GPU with the helpers' tensors there,
// and what it computes on the CPU.
// @ts-ignore the test says which version when it puts this together
import {
  AutoModel,
  AutoModelForCausalLM,
  AutoTokenizer,
  DynamicCache,
  Tensor,
  env,
  pipeline,
} from "transformers-under-test";
import { init } from "posenc/inline";
import {
  addPositional,
  attentionBias,
  interpolatePositionEmbeddings,
  rotaryInputs,
  shiftCache,
  withRollingCache,
  withRotaryTables,
} from "posenc/transformers";
import { webgpu } from "posenc/webgpu";
import { useServed } from "./page-runtime";

const pe = await init();
const onDevice = (device: "webgpu" | "wasm") => ({ dtype: "fp32", device }) as const;
const devices = ["webgpu", "wasm"] as const;
const yarn = pe.create({ kind: "rope-yarn", dim: 8, base: 100, factor: 4, originalLength: 32 });
const sinusoidal = pe.create({ kind: "sinusoidal", dim: 32 });
let gpu: Awaited<ReturnType<typeof webgpu>>;

/** How many buffers were read. */
let reads = 0;

function countReads(): void {
  const { GPUBuffer } = globalThis as any;
  const map = GPUBuffer.prototype.mapAsync;
  GPUBuffer.prototype.mapAsync = function (...given: unknown[]) {
    reads++;
    return map.apply(this, given);
  };
}

async function begin(files: { mjs: string; wasm: string }): Promise<void> {
  useServed(env, files);
  await AutoModel.from_pretrained("word-vectors", onDevice("webgpu"));
  gpu = await webgpu(pe, await env.backends.onnx.webgpu.device);
  countReads();
}

/** The numbers of a runtime's tensor, wherever they are. */
async function read(x: any): Promise<number[]> {
  if (x.location !== "gpu-buffer") return Array.from(x.data);
  return Array.from((await gpu.read(gpu.fromOrt(x.ort_tensor))).data as Float32Array);
}

async function during<T>(work: () => Promise<T>): Promise<{ result: T; reads: number }> {
  const before = reads;
  const result = await work();
  return { result, reads: reads - before };
}

/** Rotary tables as inputs of a graph, in a pipeline: texts, and what the graph was fed with. */
async function tables({ prompts, length }: { prompts: string[]; length: number }) {
  const perDevice = devices.map(async (name) => {
    const generator = await pipeline("text-generation", "recaller", onDevice(name));
    const undo = withRotaryTables(generator.model, yarn, name === "webgpu" ? { gpu } : {});
    const fed = watched(generator.model.sessions.model);
    const result = await generator(prompts, { max_new_tokens: length });
    undo();
    return { texts: result.map(([one]: any) => one.generated_text), fed };
  });
  return Promise.all(perDevice);
}

/** Notes where the tables lay that a session was given, and how many different ones. */
function watched(session: any) {
  const fed = { locations: [] as string[], tables: 0 };
  const visited = new Set<unknown>();
  const run = session.run.bind(session);
  session.run = (feeds: any) => {
    fed.locations.push(feeds.rope_cos.location);
    fed.tables = visited.add(feeds.rope_cos).size;
    return run(feeds);
  };
  return fed;
}

interface Chat {
  tokens: number;
  sinks: number;
  window: number;
}

/** A text beyond its window, greedy: ids, reads of the GPU with the rolling cache and without, where the cache lies. */
async function rolling({ tokens, ...sizes }: Chat) {
  const tokenizer = await AutoTokenizer.from_pretrained("bible");
  const byName: any = {};
  for (const name of devices) {
    const model = await AutoModelForCausalLM.from_pretrained("bible", onDevice(name));
    const rope = pe.fromConfig(model.config, { family: "rotary" });
    const options = { max_new_tokens: tokens, do_sample: false };
    const plain = await during(() => model.generate({ ...tokenizer("In the beginning"), ...options }));
    const cache = new DynamicCache();
    using _ = withRollingCache(model, rope, { ...sizes, ...(name === "webgpu" && { gpu }) });
    const kept = { ...options, past_key_values: cache };
    const rolled = await during(() => model.generate({ ...tokenizer("In the beginning"), ...kept }));
    const { location, dims } = cache["past_key_values.0.key"];
    byName[name] = {
      ...{ ids: Array.from(rolled.result.data, Number), reads: rolled.reads, plainReads: plain.reads },
      ...{ location, dims, seen: cache.get_seq_length(), isPlain: `${plain.result.data}` === `${rolled.result.data}` },
    };
    await cache.dispose();
  }
  return byName;
}

/** A cache that is shifted where it lies, and a copy of it on the CPU. */
async function shifted(options: { sinks: number; window: number }) {
  const tokenizer = await AutoTokenizer.from_pretrained("bible");
  const model = await AutoModelForCausalLM.from_pretrained("bible", onDevice("webgpu"));
  const rope = pe.fromConfig(model.config, { family: "rotary" });
  const past_key_values = new DynamicCache();
  await model.generate({ ...tokenizer("In the beginning God"), max_new_tokens: 3, do_sample: false, past_key_values });
  const names = Object.keys(past_key_values);
  const copy: any = {};
  for (const name of names)
    copy[name] = new Tensor(
      "float32",
      Float32Array.from(await read(past_key_values[name])),
      past_key_values[name].dims,
    );
  const refused = await Promise.resolve()
    .then(() => shiftCache(past_key_values, rope, options))
    .catch((error: unknown) => String(error));
  const { result: dropped, reads } = await during(async () => shiftCache(past_key_values, rope, { ...options, gpu }));
  shiftCache(copy, rope, options);
  const tensors = names.map((name) => past_key_values[name]);
  const made = {
    locations: tensors.map(({ location }) => location),
    isTensor: tensors.every((x) => x instanceof Tensor),
  };
  const [onGpu, onCpu] = [await Promise.all(tensors.map(read)), names.map((name) => Array.from(copy[name].data))];
  await past_key_values.dispose();
  return { refused, dropped, reads, ...made, onGpu, onCpu };
}

/** A graph that takes a bias. */
async function biased({ hidden }: { hidden: number[] }) {
  const alibi = pe.create({ kind: "alibi", heads: 2 });
  const t5 = pe.create({
    kind: "t5",
    heads: 2,
    weights: { data: Float32Array.from({ length: 64 }, (_, i) => Math.sin(i)), dims: [32, 2] },
  } as never) as any;
  const tokenizer = await AutoTokenizer.from_pretrained("biased");
  const [gpuModel, cpuModel] = await Promise.all(
    devices.map((name) => AutoModel.from_pretrained("biased", onDevice(name))),
  );
  const { input_ids, attention_mask } = tokenizer("dog bites man");
  const mask = new Tensor("int64", BigInt64Array.from(hidden, BigInt), attention_mask.dims);
  const results = [];
  for (const [encoding, options] of [
    [alibi, { queries: 3, keys: 3 }],
    [t5, { queries: 3, keys: 3 }],
    [alibi, { mask, causal: true }],
  ] as const) {
    const there = attentionBias<any>(encoding, { ...options, Tensor, gpu });
    const here = attentionBias<any>(encoding, { ...options, Tensor });
    const outputs = await gpuModel({ input_ids, attention_bias: there });
    const wanted = await cpuModel({ input_ids, attention_bias: here });
    results.push({
      ...{ location: there.location, dims: there.dims, same: [await read(there), await read(here)] },
      ...{ onGpu: await read(outputs.last_hidden_state), onCpu: await read(wanted.last_hidden_state) },
    });
    there.dispose();
  }
  return results;
}

/** Hidden states that stay on the GPU, with positions by place, by mask, and without the option. */
async function added() {
  const tokenizer = await AutoTokenizer.from_pretrained("word-vectors");
  tokenizer.padding_side = "left";
  const inputs = tokenizer(["dog", "dog bites man"], { padding: true });
  const session_options = { preferredOutputLocation: "gpu-buffer" };
  const onGpu = await AutoModel.from_pretrained("word-vectors", { ...onDevice("webgpu"), session_options });
  const onCpu = await AutoModel.from_pretrained("word-vectors", onDevice("wasm"));
  const { last_hidden_state: there } = await onGpu(inputs);
  const { last_hidden_state: here } = await onCpu(inputs);
  const before = await read(there);
  const sums = [];
  for (const options of [{}, { offset: 7 }, { mask: inputs.attention_mask }]) {
    const { result: sum, reads } = await during(async () => addPositional<any>(there, sinusoidal, { ...options, gpu }));
    const wanted = addPositional<any>(here, sinusoidal, options);
    const made = { location: sum.location, isTensor: sum instanceof Tensor, reads };
    sums.push({ ...made, onGpu: await read(sum), onCpu: await read(wanted) });
    sum.dispose();
  }
  const refused = await Promise.resolve()
    .then(() => addPositional(there, sinusoidal))
    .catch((error: unknown) => String(error));
  return { sums, refused, isKept: `${await read(there)}` === `${before}` };
}

/** A table of positions for another grid, and rows of cosines. */
async function resized() {
  const data = Float32Array.from({ length: 5 * 4 }, (_, i) => Math.sin(i));
  const table = new Tensor("float32", data, [1, 5, 4]);
  const options = { grid: [3, 3], prefix: 1 };
  const { Tensor: OrtTensor } = { Tensor: table.ort_tensor.constructor };
  const there = new Tensor(gpu.toOrt(gpu.tensor(data, [1, 5, 4]), OrtTensor));
  const wanted = interpolatePositionEmbeddings<any>(table, pe, options);
  const made = interpolatePositionEmbeddings<any>(there, pe, { ...options, gpu });
  const ofOrt = rotaryInputs<any>(yarn, { length: 4, gpu, Tensor: OrtTensor }).cos;
  const { cos } = rotaryInputs<any>(yarn, { positions: [3, 1], layout: "hf", type: "float16", gpu });
  return {
    ...{ location: made.location, dims: made.dims, onGpu: await read(made), onCpu: await read(wanted) },
    ort: [ofOrt instanceof OrtTensor, ofOrt.location, ofOrt.dims],
    plain: [cos.type, cos.dims, Array.from(pe.toFloat32((await gpu.read(cos)) as never).data)],
    plainOnCpu: Array.from(
      pe.toFloat32(rotaryInputs<any>(yarn, { positions: [3, 1], layout: "hf", type: "float16" }).cos).data,
    ),
  };
}

Object.assign(globalThis, { page: { begin, tables, rolling, shifted, biased, added, resized } });

// Run in a page by cache-file-page.test.ts: a text is read once and kept in the page's own files.
// @ts-ignore the test says which version when it puts this together
import { AutoConfig, AutoModelForCausalLM, DynamicCache, Tensor, env } from "transformers-under-test";
import { openCache, restoreCache, saveCache } from "posenc/cache-file";
import { init } from "posenc/inline";
import { webgpu } from "posenc/webgpu";
import { useServed } from "./page-runtime";

const pe = await init();
const begin = (files: { mjs: string; wasm: string }): void => useServed(env, files);
let model: any;
let encoding: any;
let gpu: any;

async function load(device: string): Promise<void> {
  model = await AutoModelForCausalLM.from_pretrained("bible", { dtype: "fp32", device });
  encoding = await pe.layers(model.config);
  gpu = device === "webgpu" ? await webgpu(pe, await env.backends.onnx.webgpu.device) : undefined;
  // The first pass compiles.
  await next([3, 4, 5]);
}

const int64 = (numbers: number[]) => new Tensor("int64", BigInt64Array.from(numbers, BigInt), [1, numbers.length]);

/** The logits of the last of these tokens, after those of a cache. */
async function next(ids: number[], past?: any): Promise<number[]> {
  const before = past ? past["past_key_values.0.key"].dims[2] : 0;
  const { logits } = await model.forward({
    input_ids: int64(ids),
    attention_mask: int64(Array<number>(before + ids.length).fill(1)),
    position_ids: int64(ids.map((_, i) => before + i)),
    ...(past && { past_key_values: past }),
  });
  const data = logits.location === "gpu-buffer" ? await logits.ort_tensor.getData() : logits.data;
  return Array.from<number>(data.slice(-logits.dims[2]));
}

const kept = async () => (await navigator.storage.getDirectory()).getFileHandle("text.cache", { create: true });

/** Reads a text, keeps it, and goes on with one more token. */
async function keep(ids: number[]) {
  const text = ids.slice(0, -1);
  const past = new DynamicCache() as any;
  const start = performance.now();
  const inputs = { input_ids: int64(text), attention_mask: int64(Array<number>(text.length).fill(1)) };
  await model.generate({ ...inputs, max_new_tokens: 1, past_key_values: past });
  const took = performance.now() - start;
  const file = await saveCache(pe, past, { encoding, tokens: text, ...(gpu && { gpu }) });
  const { location } = past["past_key_values.0.key"];
  const logits = await next(ids.slice(-1), past);
  const stream = await (await kept()).createWritable();
  await stream.write(file);
  await stream.close();
  return { logits, took, bytes: file.size, location };
}

/** What was kept. Only the config is needed for it. */
async function restored() {
  const file = await openCache(await (await kept()).getFile());
  const encoding = await pe.layers(await AutoConfig.from_pretrained("bible"));
  return { past: new DynamicCache(await restoreCache(pe, file, { encoding, Tensor })), tokens: file.length };
}

/** Goes on with one more token after what was kept, which is restored while the model loads or after that. */
async function goOn([id, device, beside]: [number, string, boolean]) {
  const loaded = load(device).then(() => performance.now());
  if (!beside) await loaded;
  const [{ past, tokens }, from] = await Promise.all([restored(), loaded]);
  const logits = await next([id], past);
  return { logits, tokens, waited: performance.now() - from };
}

(globalThis as any).page = { begin, load, keep, goOn };

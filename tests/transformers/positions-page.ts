// Run in a page by positions-page.test.ts, with either version of transformers.js.
// @ts-ignore which of them the test says when it puts this together
import { AutoModelForCausalLM, AutoTokenizer, Tensor, env, pipeline } from "transformers-under-test";
import { init } from "posenc/inline";
import { usePositions } from "posenc/transformers";

const pe = await init();
const here = (path: string): string => new URL(path, document.baseURI).href;
const longer = { rotary: { kind: "rope-yarn", factor: 4, originalLength: 64 }, length: 256 } as const;
const dtype = "fp32";
const device = "wasm";

const before = { ...env };

function begin({ mjs, wasm }: { mjs: string; wasm: string }): void {
  const runtime = env.backends.onnx.wasm;
  runtime.wasmPaths = { mjs: here(mjs), wasm: here(wasm) };
  runtime.numThreads = 1;
}

async function prepare(settings: object): Promise<void> {
  await caches.delete("transformers-cache");
  Object.assign(env, before, { remoteHost: here("hub/"), allowLocalModels: false }, settings);
}

async function logitsOf(model: any, ids: number[]): Promise<number[]> {
  const dims = [1, ids.length];
  const input_ids = new Tensor("int64", BigInt64Array.from(ids, BigInt), dims);
  const attention_mask = new Tensor("int64", new BigInt64Array(ids.length).fill(1n), dims);
  return Array.from((await model({ input_ids, attention_mask })).logits.data as Float32Array);
}

/** What is in the page's cache: each file's address, and whether the server gives the same bytes. */
async function cached(): Promise<Record<string, boolean>> {
  const cache = await caches.open("transformers-cache");
  const digest = async (response: Response) =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer())).join();
  const entries = (await cache.keys()).map(async ({ url }) => {
    const same = (await digest((await cache.match(url))!)) === (await digest(await fetch(url)));
    return [url.replace(document.baseURI, ""), same] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** A model with other positions, and as it is. */
async function both([name, ids]: [string, number[]]) {
  const undo = usePositions(env, pe, { [name]: longer });
  const loaded: string[] = [];
  const progress_callback = ({ status, file }: any) => status === "done" && loaded.push(file);
  const model = await AutoModelForCausalLM.from_pretrained(name, { dtype, device, progress_callback });
  const tokenizer = await AutoTokenizer.from_pretrained(name);
  const logits = await logitsOf(model, ids);
  undo();
  const plain = await AutoModelForCausalLM.from_pretrained(name, { dtype, device });
  const { rope_scaling, max_position_embeddings } = model.config;
  return {
    ...{ logits, loaded, rope_scaling, longest: [max_position_embeddings, tokenizer.model_max_length] },
    ...{ plain: await logitsOf(plain, ids), isUndone: !env.useCustomCache && env.customCache === null },
  };
}

async function failing(): Promise<string> {
  const undo = usePositions(env, pe, { "org/gpt2": longer });
  const error = await pipeline("text-generation", "org/gpt2", { dtype: "q8", device }).catch((e: unknown) => e);
  undo();
  return `${error.name} ${error.code}: ${error.message}`;
}

Object.assign(globalThis, { page: { begin, prepare, both, cached, failing } });

// Loads the model with the positions of a rule, measures the loss at each token, and continues the text.
import { AutoConfig, AutoModelForCausalLM, AutoTokenizer, Tensor, TextStreamer, env } from "@huggingface/transformers";
import mjs from "onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url";
import wasm from "onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url";
import { init } from "posenc";
import { usePositions } from "posenc/transformers";
import { rules, type Rule, type RuleName } from "./rules";

export interface Request {
  /** A folder below `folder`, or an id of the hub, which contains a slash. */
  model: string;
  folder: string;
  host: string | null;
  dtype: "fp32" | "fp16" | "q8" | "q4" | "q4f16";
  rule: RuleName;
  text: string;
  length: number;
}

export interface Measured {
  /** Loss in nats of each token from the second one on. */
  losses: Float32Array;
  trained: number;
  /** The end of the prompt, and the model's text. */
  prompt: string;
  continuation: string;
}

export type Reply = { text: string } | { measured: Measured } | { error: string };

// The files of onnxruntime come from this app. Without these lines they would come from a CDN.
const runtime = env.backends.onnx.wasm!;
const absolute = (address: string): string => new URL(address, self.location.href).href;
runtime.wasmPaths = { mjs: absolute(mjs), wasm: absolute(wasm) };
runtime.numThreads = 1;
env.useWasmCache = false;

const library = init();
const continued = 120;

/** Returns -ln of the probability of each next token. */
function lossesOf(logits: Float32Array, ids: readonly number[]): Float32Array {
  const width = logits.length / (ids.length - 1);
  return Float32Array.from(ids.slice(1), (next, i) => {
    const row = logits.subarray(i * width, (i + 1) * width);
    let top = -Infinity;
    for (const logit of row) top = Math.max(top, logit);
    let sum = 0;
    for (const logit of row) sum += Math.exp(logit - top);
    return top + Math.log(sum) - row[next]!;
  });
}

function inputsOf(ids: readonly number[]) {
  const tensor = (values: BigInt64Array) => new Tensor("int64", values, [1, ids.length]);
  return {
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
  };
}

async function measure({ model: name, folder, host, dtype, rule, text, length }: Request): Promise<Measured> {
  const isLocal = !name.includes("/");
  Object.assign(env, { allowLocalModels: isLocal, allowRemoteModels: !isLocal, localModelPath: folder });
  if (host) env.remoteHost = host;
  const tokenizer = await AutoTokenizer.from_pretrained(name);
  const config = await AutoConfig.from_pretrained(name);
  const trained: number = (config as any).max_position_embeddings;
  const ids = tokenizer.encode(text, { add_special_tokens: false }).slice(0, length + 1);
  if (ids.length < 2 * continued) throw new Error(`The text has ${ids.length} tokens; it needs ${2 * continued}.`);
  const { change }: Rule = rules[rule];
  const lengths = { trained, length: ids.length - 1, factor: Math.max(1, (ids.length - 1) / trained) };
  // From here on, transformers.js loads this model with other positions.
  const undo = change && usePositions(env, await library, { [name]: change(lengths) });
  try {
    const model = await AutoModelForCausalLM.from_pretrained(name, { dtype, device: "wasm" });
    try {
      const { logits } = await model(inputsOf(ids.slice(0, -1)));
      const losses = lossesOf(logits.to("float32").data as Float32Array, ids);
      let continuation = "";
      const callback_function = (text: string): void => {
        continuation += text;
        postMessage({ text: continuation } satisfies Reply);
      };
      const prompt = ids.slice(0, ids.length - 1 - continued);
      const streamer = new TextStreamer(tokenizer, { skip_prompt: true, callback_function });
      const settings = { max_new_tokens: continued, do_sample: false, streamer };
      await model.generate({ ...inputsOf(prompt), ...settings } as any);
      return { losses, trained, prompt: tokenizer.decode(prompt.slice(-80)), continuation };
    } finally {
      await model.dispose();
    }
  } finally {
    undo?.();
  }
}

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  try {
    postMessage({ measured: await measure(data) } satisfies Reply);
  } catch (error) {
    postMessage({ error: String(error) } satisfies Reply);
  }
};

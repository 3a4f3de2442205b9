// Opens a model, finds its positional components, and runs it with its attention weights as outputs.
import { Tokenizer } from "@huggingface/tokenizers";
import * as ort from "onnxruntime-web/wasm";
import { init } from "posenc";
import { openModel, type PositionalComponent } from "posenc/onnx";

export interface Request {
  model: Blob;
  /** A tokenizer.json; without it the model reads random ids. */
  tokenizer: Blob | undefined;
  text: string;
  tokens: number;
}

export interface Component {
  title: string;
  layers: readonly number[];
  /** The positional part of a score by distance from 0: one line, or one for each head of a bias. */
  lines: Float32Array[];
}

export interface Head {
  name: string;
  /** Mean attention weight by distance from 0. */
  weights: Float32Array;
  /** The same without the first token of the text. */
  later: Float32Array;
}

export interface Run {
  heads: Head[];
  tokens: number;
  isCausal: boolean;
}

export type Reply = { components: Component[] } | Run | { error: string };

ort.env.wasm.numThreads = 1;
const library = init({ parts: ["attention"] });
const maxDistance = 1023;

/** Kinds whose values follow from the spec. Those of the others are learned. */
const isComputed = ({ family, spec }: PositionalComponent): boolean =>
  family === "rotary" || spec?.kind === "alibi" || spec?.kind === "sinusoidal";

async function componentOf(component: PositionalComponent): Promise<Component> {
  const { family, form, layers, spec } = component;
  const rule = Object.entries(spec ?? {}).map(([field, value]) => (field === "kind" ? value : `${field} ${value}`));
  const title = `${family} ${form}: ${rule.join(", ") || "values of no known rule"}`;
  if (!spec || !isComputed(component)) return { title, layers, lines: [] };
  const pe = await library;
  const { data, dims } = pe.distanceProfile(pe.create(spec), { maxDistance });
  const rows = dims.length === 2 ? dims[0]! : 1;
  const lines = Array.from({ length: rows }, (_, i) => data.slice(i * (maxDistance + 1), (i + 1) * (maxDistance + 1)));
  return { title, layers, lines };
}

async function idsFor({ tokenizer, text, tokens }: Request, vocabulary: number): Promise<number[]> {
  if (!tokenizer) return Array.from({ length: tokens }, (_, i) => (Math.imul(i + 1, 2654435761) >>> 8) % vocabulary);
  const reader = new Tokenizer(JSON.parse(await tokenizer.text()), {});
  return reader.encode(text, { add_special_tokens: false }).ids.slice(0, tokens);
}

/** Returns the inputs of a text model: ids, mask and positions, and a cache without tokens. */
function feedsFor(session: ort.InferenceSession, ids: readonly number[]): Record<string, ort.Tensor> {
  const values: Record<string, (i: number) => number> = {
    input_ids: (i) => ids[i]!,
    attention_mask: () => 1,
    position_ids: (i) => i,
    token_type_ids: () => 0,
  };
  const feeds = session.inputMetadata.map((input): [string, ort.Tensor] => {
    const valueOf = values[input.name];
    if (!input.isTensor || !(valueOf || /^past/.test(input.name)))
      throw new Error(`The input ${input.name} is not one of a decoder or encoder of text, which this app can run.`);
    if (valueOf) {
      const numbers = ids.map((_, i) => valueOf(i));
      const dims = [1, ids.length];
      if (input.type === "int32") return [input.name, new ort.Tensor("int32", numbers, dims)];
      return [input.name, new ort.Tensor("int64", BigInt64Array.from(numbers, BigInt), dims)];
    }
    const dims = input.shape.map((size, axis) => (typeof size === "number" ? size : axis === 0 ? 1 : 0));
    const empty = input.type === "float16" ? new Uint16Array(0) : new Float32Array(0);
    return [input.name, new ort.Tensor(input.type as "float32", empty as Float32Array, dims)];
  });
  return Object.fromEntries(feeds);
}

/** Returns the mean weight of all pairs at each distance, with keys from `first` on. */
function byDistance(weights: Float32Array, tokens: number, isCausal: boolean, first: number): Float32Array {
  const sums = new Float32Array(tokens);
  const pairs = new Float32Array(tokens);
  for (let query = 0; query < tokens; query++)
    for (let key = first; key < (isCausal ? query + 1 : tokens); key++) {
      const distance = Math.abs(query - key);
      sums[distance]! += weights[query * tokens + key]!;
      pairs[distance]! += 1;
    }
  return sums.map((sum, distance) => sum / Math.max(1, pairs[distance]!));
}

function headsOf(outputs: ort.InferenceSession.OnnxValueMapType, isCausal: boolean): Head[] {
  return Object.entries(outputs).flatMap(([output, { data, dims }]) => {
    const [, layer] = /^(?:encoder_|decoder_)?attentions\.(\d+)$/.exec(output) ?? [];
    if (layer === undefined) return [];
    const [, heads, tokens] = dims as [number, number, number, number];
    return Array.from({ length: heads }, (_, head) => {
      const own = (data as Float32Array).subarray(head * tokens ** 2, (head + 1) * tokens ** 2);
      const [weights, later] = [0, 1].map((first) => byDistance(own, tokens, isCausal, first));
      return { name: `${layer}.${head}`, weights: weights!, later: later! };
    });
  });
}

async function show(request: Request): Promise<void> {
  const model = await openModel(request.model);
  postMessage({ components: await Promise.all(model.positions.map(componentOf)) } satisfies Reply);
  // The same model, whose attention weights are outputs, too.
  const changed = await model.rewrite(await library, { attention: true });
  const session = await ort.InferenceSession.create(await changed.bytes(), { logSeverityLevel: 3 });
  try {
    const logits = session.outputMetadata.find(({ name }) => name === "logits");
    const width = logits?.isTensor ? logits.shape.at(-1) : undefined;
    // Tables end.
    const tokens = Math.min(request.tokens, ...model.positions.map(({ maxLength = Infinity }) => maxLength));
    const ids = await idsFor({ ...request, tokens }, typeof width === "number" ? width : 32);
    const outputs = await session.run(feedsFor(session, ids));
    const [, first] = Object.entries(outputs).find(([name]) => /attentions\.0$/.test(name))!;
    const isCausal = (first.data as Float32Array).subarray(1, ids.length).every((weight) => weight === 0);
    postMessage({ heads: headsOf(outputs, isCausal), tokens: ids.length, isCausal } satisfies Reply);
  } finally {
    await session.release();
  }
}

self.onmessage = ({ data }: MessageEvent<Request>) =>
  show(data).catch((error: unknown) => postMessage({ error: String(error) } satisfies Reply));

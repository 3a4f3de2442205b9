// Folders of exported models with what PyTorch computes: tests/fixtures/onnx/README.md tells their layout.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { modelFolders } from "../fixtures/onnx-folders";

export interface Case {
  name: string;
  inputs: Record<string, string>;
  output: string;
  /** The tokens whose outputs are kept; all, where it is not there. */
  rows?: number[];
  /** What PyTorch turned by. */
  rope?: { inv_freq: number[]; attention_scaling: number }[];
  rope_scaling?: object | null;
  f32_vs_f64_max_abs?: number;
}
export interface Truth {
  cases: Case[];
  tensors: Record<string, { dtype: string; shape: number[]; offset: number; bytes: number }>;
  longrope_factors?: { short_factor: number[]; long_factor: number[] };
}
export interface Model {
  /** folder/file.onnx */
  name: string;
  file: string;
  externalData: Record<string, Uint8Array>;
  truth: Truth;
  tensor(name: string): { dims: number[]; data: BigInt64Array | Float32Array };
}

const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));

function modelsOf([folder, root]: readonly [string, string]): Model[] {
  const path = `${root}/${folder}`;
  const files = readdirSync(path);
  const source = files.includes("source.json") ? `${root}/${json(`${path}/source.json`).truth}` : path;
  if (!existsSync(`${source}/truth.json`)) return [];
  const truth: Truth = json(`${source}/truth.json`);
  const dataFiles = files.filter((file) => /onnx[._]data$/.test(file));
  const externalData = Object.fromEntries(dataFiles.map((file) => [file, readFileSync(`${path}/${file}`)]));
  const tensor = (name: string) => {
    const { dtype, shape: dims, offset, bytes } = truth.tensors[name]!;
    const { buffer } = new Uint8Array(readFileSync(`${source}/truth.bin`).subarray(offset, offset + bytes));
    return { dims, data: dtype === "int64" ? new BigInt64Array(buffer) : new Float32Array(buffer) };
  };
  return files
    .filter((file) => file.endsWith(".onnx"))
    .map((file) => ({ name: `${folder}/${file}`, file: `${path}/${file}`, externalData, truth, tensor }));
}

/** Models that run alone: with a past there is nothing to feed a decoder with. */
export const models = [...modelFolders].flatMap(modelsOf).filter(({ name }) => !/with_past|merged/.test(name));

const encoded = ({ name }: Case) => `encoder_last_hidden_state/${name}`;
/** What a decoder is fed with; `input_ids` are its own. */
const decoderInputs = (one: Case) => ({
  input_ids: one.inputs.decoder_input_ids!,
  encoder_attention_mask: one.inputs.attention_mask!,
  encoder_hidden_states: encoded(one),
});

/** Values as the graph wants them: ids, masks, positions, and a past of length 0. */
export function feedsOf(ort: any, session: any, model: Model, one: Case): Record<string, unknown> {
  const isDecoder = /decoder_model/.test(model.name) && "decoder_input_ids" in one.inputs;
  const inputs = isDecoder ? decoderInputs(one) : one.inputs;
  const given = Object.fromEntries(Object.entries(inputs).map(([name, key]) => [name, model.tensor(key)]));
  const length = (given.input_ids ?? given.pixel_values)!.dims.at(-1)!;
  const int64 = (data: BigInt64Array, dims: number[]) => new ort.Tensor("int64", data, dims);
  const feed = ({ name, type, shape }: { name: string; type: string; shape: unknown[] }) => {
    const own = given[name];
    if (own) return new ort.Tensor(own.data instanceof BigInt64Array ? "int64" : "float32", own.data, own.dims);
    if (name === "position_ids")
      return int64(
        BigInt64Array.from({ length }, (_, i) => BigInt(i)),
        [1, length],
      );
    if (name === "token_type_ids") return int64(new BigInt64Array(length), [1, length]);
    if (!name.startsWith("past_key")) throw new Error(`nothing is known of the input ${name}`);
    const dims = shape.map((dim, i) => (typeof dim === "number" && dim > 0 ? dim : i === 0 ? 1 : 0));
    return new ort.Tensor(type, type === "float16" ? new Uint16Array(0) : new Float32Array(0), dims);
  };
  return Object.fromEntries(session.inputMetadata.map((input: any) => [input.name, feed(input)]));
}

function float32From(bits: ArrayLike<number>): Float32Array {
  return Float32Array.from(bits, (half) => {
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    return sign * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
  });
}

/** The largest difference from what PyTorch computes; of the tokens whose outputs are kept. */
export function errorOf(outputs: Record<string, any>, model: Model, one: Case): number {
  const { rows } = one;
  const isEncoder = /encoder_model/.test(model.name) && encoded(one) in model.truth.tensors;
  const { data: wanted } = model.tensor(isEncoder ? encoded(one) : one.output);
  const [first] = Object.values(outputs);
  const logits = outputs.logits ?? outputs.last_hidden_state ?? first;
  const bits = logits.data instanceof Uint16Array;
  const data: Float32Array = bits ? float32From(logits.data) : Float32Array.from(logits.data);
  const width = rows ? logits.dims.at(-1) : data.length;
  if (wanted.length !== (rows?.length ?? 1) * width) throw new Error(`${data.length} numbers for ${wanted.length}`);
  let worst = 0;
  for (let i = 0; i < wanted.length; i++) {
    const at = rows ? rows[Math.floor(i / width)]! * width + (i % width) : i;
    const error = Math.abs(data[at]! - Number(wanted[i]));
    // NaN is as far off as can be.
    worst = Number.isNaN(error) ? Infinity : Math.max(worst, error);
  }
  return worst;
}

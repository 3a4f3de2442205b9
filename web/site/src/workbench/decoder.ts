// A decoder in onnxruntime: what its graph wants to be fed with, with a cache of keys and values or without.
import type { InferenceSession, Tensor as TensorOf, TensorConstructor } from "onnxruntime-common";

/** The same for onnxruntime in the page and in Node. */
export type Session = Pick<InferenceSession, "run" | "inputNames" | "outputNames" | "inputMetadata" | "release">;
type Tensors = Record<string, TensorOf>;
type Values = Float32Array | Uint16Array | ArrayLike<number>;

/** A 16-bit float; browsers without Float16Array have its bits. */
function fromBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
}

export function toFloat32(data: Values): Float32Array {
  if (data instanceof Float32Array) return data;
  return Float32Array.from(data, data instanceof Uint16Array ? fromBits : Number);
}

export interface Rows {
  /** Of the new tokens [tokens, width]. */
  data: Float32Array;
  width: number;
  /** What else was asked for, as it came. */
  outputs: Tensors;
}

const known =
  /^(input_ids|attention_mask|position_ids|cache_position|token_type_ids|num_logits_to_keep|use_cache_branch|past.*)$/;
const isPast = (name: string) => name.startsWith("past");
const presentOf = (name: string) => name.replace(/^past(_key_values)?/, "present");

/** The model does not predict the next token from those before it. */
export class NotADecoder extends Error {
  constructor(
    message: string,
    readonly code = "not-a-decoder",
  ) {
    super(message);
  }
}

export class Decoder {
  /** Names of the attention weights among the outputs, from the first layer on. */
  readonly attentions: string[];
  /** Several tokens may follow others: without a cache, or where its branch is made for one, all are read again. */
  readonly readsChunks: boolean;
  private readonly hasCache: boolean;
  private readonly logitsName: string;
  private ids: number[] = [];
  private past: Tensors = {};

  constructor(
    private readonly session: Session,
    private readonly Tensor: TensorConstructor,
  ) {
    const { inputNames, outputNames } = session;
    const strange = inputNames.filter((name) => !known.test(name));
    if (!inputNames.includes("input_ids") || strange.length > 0)
      throw new NotADecoder(inputNames.join(", "), "needs-inputs");
    this.hasCache = inputNames.some((name) => isPast(name) && outputNames.includes(presentOf(name)));
    this.readsChunks = this.hasCache && !inputNames.includes("use_cache_branch");
    this.attentions = outputNames.filter((name) => /^(decoder_)?attentions\.\d+$/.test(name));
    const logits = outputNames.find((name) => name === "logits") ?? outputNames[0];
    this.logitsName = logits!;
  }

  /** How many tokens it has read. */
  get length(): number {
    return this.ids.length;
  }

  /** Forgets what it has read. */
  restart(): void {
    this.ids = [];
    this.past = {};
  }

  /** Reads tokens after those before them. */
  async read(ids: readonly number[], wanted: readonly string[] = []): Promise<Rows> {
    const isAnew = !this.hasCache || (!this.readsChunks && ids.length > 1);
    if (isAnew) this.past = {};
    const from = isAnew ? 0 : this.ids.length;
    const all = [...this.ids, ...ids];
    const presents = this.session.inputNames.filter(isPast).map(presentOf);
    const fetches = [this.logitsName, ...wanted, ...(this.hasCache ? presents : [])];
    const outputs = (await this.session.run(this.feeds(all, from), fetches, { logSeverityLevel: 4 })) as Tensors;
    this.ids = all;
    if (this.hasCache) for (const name of presents) this.past[name] = outputs[name]!;
    const logits = outputs[this.logitsName]!;
    const [, rows, width] = logits.dims as [number, number, number];
    if (logits.dims.length !== 3 || rows !== all.length - from)
      throw new NotADecoder(`${this.logitsName} [${logits.dims.join(", ")}] for ${all.length - from} tokens`);
    const data = toFloat32(logits.data as Values);
    return { data: data.subarray(data.length - ids.length * width), width, outputs };
  }

  /** Values as the graph wants them: ids, masks, positions, and what was read before. */
  private feeds(all: readonly number[], from: number): Tensors {
    return Object.fromEntries(
      this.session.inputMetadata.map((input) => {
        if (!input.isTensor) throw new Error(`the input ${input.name} is not a tensor`);
        return [input.name, this.feed(input, all, from)];
      }),
    );
  }

  private feed({ name, type, shape }: InferenceSession.TensorValueMetadata, all: readonly number[], from: number) {
    const { Tensor } = this;
    const whole = (list: readonly number[], dims: readonly number[]) =>
      type === "int32"
        ? new Tensor("int32", Int32Array.from(list), dims)
        : new Tensor("int64", BigInt64Array.from(list, BigInt), dims);
    const count = all.length - from;
    const places = Array.from({ length: count }, (_, index) => from + index);
    if (name === "input_ids") return whole(all.slice(from), [1, count]);
    if (name === "attention_mask") return whole(Array<number>(all.length).fill(1), [1, all.length]);
    if (name === "token_type_ids") return whole(Array<number>(count).fill(0), [1, count]);
    if (name === "cache_position") return whole(places, [count]);
    if (name === "num_logits_to_keep") return whole([0], []);
    if (name === "use_cache_branch") return new Tensor("bool", Uint8Array.of(Number(from > 0)), [1]);
    // Several axes of positions (M-RoPE) are the same in a text.
    if (name === "position_ids")
      return shape.length === 3
        ? whole(Array.from({ length: Number(shape[0]) }, () => places).flat(), [Number(shape[0]), 1, count])
        : whole(places, [1, count]);
    return this.past[presentOf(name)] ?? this.emptyPast(type, shape);
  }

  private emptyPast(type: string, shape: readonly (number | string)[]): TensorOf {
    const dims = shape.map((dim, index) => (typeof dim === "number" && dim > 0 ? dim : index === 0 ? 1 : 0));
    const { Tensor } = this;
    return type === "float16"
      ? new Tensor("float16", new Uint16Array(0), dims)
      : new Tensor("float32", new Float32Array(0), dims);
  }
}

// Rotary tables for graphs that take them as inputs, passed at each forward pass of a transformers.js model.
import { PosencError, invalid } from "../base/errors.js";
import { asIs, maybe, oneOf, readOptions, text, type Read } from "../base/options.js";
import type { ArrayLike2D } from "../base/types.js";
import { checkFamily } from "../encodings/family.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import { positionIds } from "../ids/position-ids.js";
import { checkModel, wrapForward, type Inputs, type ModelLike, type Session, type Undo } from "./forward.js";
import { changesWithLength } from "./frequencies.js";
import { aGpu, freeOnGpu, type GpuOption } from "./gpu.js";
import { rotaryInputs, type RotaryInputOptions } from "./inputs.js";
import { followLength } from "./regime.js";
import type { RuntimeTensor, TensorClass, TensorOption } from "./tensors.js";

/**
 * Options of `withRotaryTables`: inputs of the graph, layout and type of the tables. Default of `layout`: "hf" if the graph
 * declares three dims, else "onnx"; of `type`: as the graph declares it.
 */
export interface RotaryTableOptions extends Pick<RotaryInputOptions, "layout" | "type">, TensorOption<any>, GpuOption {
  /** Name of the graph's input for cosines. Default: the one whose name contains "cos". */
  cos?: string;
  /** Name of the graph's input for sines. Default: the one whose name contains "sin". */
  sin?: string;
}

/**
 * Feeds cos and sin of an encoding to a transformers.js model at each forward pass, also inside pipelines and
 * `generate`.
 *
 * For graphs that declare them as inputs, as `rewrite` of posenc/onnx creates them with `tables: "inputs"`. Usual
 * exports contain their tables: change those with `usePositions`. Tables grow with the sequence, also for kinds whose
 * frequencies depend on its length. When a text crosses a length at which LongRoPE or `rope-qwen` changes its frequencies, the
 * cached keys are re-rotated; with dynamic NTK, whose frequencies change at each token, they stay, as in Transformers. With `gpu` they are on the GPU and are sent only when they grow. Inputs that a call
 * passes by name stay unchanged.
 * @param model A model of transformers.js, such as `pipeline.model`. Its forward pass is wrapped.
 * @param encoding An encoding of the family "rotary".
 * @param options Names of the graph's inputs, layout, type, `Tensor` and `gpu`. Default: found by name, as the graph
 * declares them.
 * @returns A function that undoes it; also with `using`. It throws `invalid-argument` if the model was wrapped again
 * since.
 * @throws {PosencError} `unsupported` if the graph has no such inputs (the message lists its inputs), or the encoding
 * is not rotary; `shape-mismatch` if the inputs have another number of columns; `invalid-argument` if an argument is
 * invalid. A forward pass throws as `rotaryInputs`.
 * @example
 * const undo = withRotaryTables(generator.model, pe.fromConfig(config, { family: "rotary" }));
 */
export function withRotaryTables(
  model: ModelLike,
  encoding: RotaryEncoding<any>,
  options: RotaryTableOptions = {},
): Undo {
  const read = readOptions(options, modelOptions);
  checkFamily(encoding, "rotary", "withRotaryTables");
  checkModel(model);
  const tables = new Tables(encoding, sessionWithTables(model, read), read);
  return wrapForward(model, (next, inputs) => tables.withTables(inputs, (feeds) => next({ ...feeds, ...inputs })), {
    end: () => tables.end(),
  });
}

const modelOptions = {
  cos: maybe(text),
  sin: maybe(text),
  layout: maybe(oneOf("onnx", "hf")),
  type: maybe(oneOf("float32", "float16")),
  Tensor: asIs,
  gpu: aGpu,
};
type Options = Read<typeof modelOptions>;

interface Named {
  session: Session;
  cos: string;
  sin: string;
}

function sessionWithTables({ sessions }: ModelLike, { cos, sin }: Options): Named {
  const named = (session: Session, given: string | undefined, part: string): string | undefined =>
    session.inputNames.find((name) => (given === undefined ? name.toLowerCase().includes(part) : name === given));
  for (const session of Object.values(sessions)) {
    const [cosName, sinName] = [named(session, cos, "cos"), named(session, sin, "sin")];
    if (cosName !== undefined && sinName !== undefined) return { session, cos: cosName, sin: sinName };
  }
  const names = Object.values(sessions).flatMap(({ inputNames }) => inputNames);
  throw new PosencError(
    "unsupported",
    `model: must have cos and sin tables as inputs, got ${names.join(", ")}`,
    "model",
  );
}

/** Returns what the graph declares about an input; undefined in older runtimes. */
const declared = ({ session, cos }: Named) => session.inputMetadata?.find(({ name }) => name === cos);

function checkWidth(named: Named, encoding: RotaryEncoding<any>, layout: unknown): void {
  const wanted = declared(named)?.shape?.at(-1);
  const width = layout === "hf" ? 2 * encoding.pairs : encoding.pairs;
  if (typeof wanted === "number" && wanted > 0 && wanted !== width)
    throw new PosencError(
      "shape-mismatch",
      `encoding: the graph's ${named.cos} has ${wanted} columns, the tables have ${width}`,
      "encoding",
    );
}

/** The inputs of a graph, and the number of forward passes that use them. */
interface Fed {
  feeds: Inputs;
  /** Number of rows of the tables; undefined: for one pass only. */
  rows?: number;
  users: number;
}

/** Inputs of forward passes by name. Those that still fit are kept for the next pass. */
class Tables {
  private readonly followsLength: boolean;
  private readonly how: Required<Pick<RotaryTableOptions, "layout" | "type">>;
  private kept: Fed | undefined;

  constructor(
    private readonly encoding: RotaryEncoding<any>,
    private readonly named: Named,
    private readonly options: Options,
  ) {
    const { shape, type: wanted } = declared(named) ?? {};
    const { layout = shape?.length === 3 ? "hf" : "onnx" } = options;
    const { type = wanted === "float16" ? "float16" : "float32" } = options;
    checkWidth(named, encoding, layout);
    this.how = { layout, type };
    this.followsLength = changesWithLength(encoding, 2 ** 40);
  }

  /** Lends the tables to a forward pass. Tables on the GPU are freed after the last pass that uses them. */
  async withTables<T>(inputs: Inputs, pass: (feeds: Inputs) => Promise<T>): Promise<T> {
    if (this.followsLength) this.rerotateCache(inputs);
    const fed = this.fedFor(inputs);
    fed.users++;
    try {
      return await pass(fed.feeds);
    } finally {
      fed.users--;
      this.free(fed);
    }
  }

  end(): void {
    const { kept } = this;
    this.kept = undefined;
    if (kept) this.free(kept);
  }

  private free(fed: Fed): void {
    if (fed === this.kept || fed.users > 0) return;
    freeOnGpu(Object.values(fed.feeds));
  }

  /** Gives cached keys the frequencies of the text with the new tokens. */
  private rerotateCache(inputs: Inputs): void {
    const { past_key_values: cache, attention_mask: mask } = inputs;
    if (!cache) return;
    const after = sequenceLength(inputs);
    const before = Math.max(1, after - newLength(inputs));
    const idsOf = (tokens: number): ArrayLike2D =>
      mask
        ? positionIds(mask, { padding: 1 })
        : { data: Int32Array.from({ length: tokens }, (_, i) => i), dims: [1, tokens] };
    followLength(this.encoding, { cache, before, after, idsOf }, this.options.gpu);
  }

  private fedFor(inputs: Inputs): Fed {
    const length = sequenceLength(inputs);
    if (this.how.layout === "hf") return this.make(inputs, { positions: idsOf(inputs), sequenceLength: length });
    if (this.kept && this.kept.rows! >= length && !this.followsLength) return this.kept;
    // Rows double, so that a generation seldom needs new tables.
    const rows = this.followsLength ? length : 2 ** Math.ceil(Math.log2(length));
    const made = this.make(inputs, { length: rows, sequenceLength: length }, rows);
    this.end();
    return (this.kept = made);
  }

  private make(inputs: Inputs, at: object, rows?: number): Fed {
    const { named, options, how, encoding } = this;
    const Tensor = options.Tensor ?? tensorClass(inputs);
    const { cos, sin } = rotaryInputs(encoding, { ...at, ...how, Tensor, gpu: options.gpu! });
    return { feeds: { [named.cos]: cos, [named.sin]: sin }, users: 0, ...(rows && { rows }) };
  }
}

function tensorClass({ input_ids, inputs_embeds, attention_mask }: Inputs): TensorClass<any> {
  const like: RuntimeTensor | undefined = input_ids ?? inputs_embeds ?? attention_mask;
  if (like === undefined) throw invalid("Tensor", "required: the inputs have no tensor to take the class from");
  return like.constructor as TensorClass<any>;
}

/** Returns the number of tokens in the cache. */
const cachedLength = ({ past_key_values: cache }: Inputs): number => cache?.get_seq_length?.() ?? 0;

const newLength = ({ input_ids, inputs_embeds }: Inputs): number => (input_ids ?? inputs_embeds)?.dims[1] ?? 0;

/** Returns the number of cached and new tokens, or more if position ids are larger. */
function sequenceLength(inputs: Inputs): number {
  const { attention_mask, position_ids } = inputs;
  let length: number = attention_mask?.dims.at(-1) ?? cachedLength(inputs) + newLength(inputs);
  for (const id of (position_ids?.data ?? []) as Iterable<number | bigint>) length = Math.max(length, Number(id) + 1);
  return Math.max(1, length);
}

/** Returns the position ids that the model receives or would compute itself. */
function idsOf(inputs: Inputs): ArrayLike2D {
  const { attention_mask, position_ids } = inputs;
  if (position_ids) return position_ids;
  const added = newLength(inputs);
  if (attention_mask)
    return positionIds(attention_mask, { pastLength: attention_mask.dims.at(-1) - added, padding: 1 });
  const past = cachedLength(inputs);
  const [rows, columns] = [(inputs["input_ids"] ?? inputs["inputs_embeds"]).dims[0] as number, added];
  const data = Int32Array.from({ length: rows * columns }, (_, i) => past + (i % columns));
  return { data, dims: [rows, columns] };
}

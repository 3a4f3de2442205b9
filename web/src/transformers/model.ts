// Rotary tables for graphs that take them as inputs, handed in at each forward pass of a transformers.js model.
import { PosencError, invalid, show } from "../base/errors.js";
import { asIs, maybe, oneOf, readOptions, text, type Read } from "../base/options.js";
import type { ArrayLike2D } from "../base/types.js";
import { checkFamily } from "../encodings/family.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import { positionIds } from "../ids/position-ids.js";
import { rotaryInputs, type RotaryInputOptions } from "./inputs.js";
import type { RuntimeTensor, TensorClass, TensorOption } from "./tensors.js";

type Inputs = Record<string, any>;
type Forward = (self: any, inputs: any) => Promise<any>;

interface Session {
  readonly inputNames: readonly string[];
  readonly inputMetadata?: readonly { name: string; type?: unknown; shape?: readonly (number | string)[] }[];
}

/** A model of transformers.js, as far as it matters here. */
export interface ModelLike {
  /** What runs the graph. */
  _forward: Forward;
  /** The graphs by name. */
  readonly sessions: Readonly<Record<string, Session>>;
}

/** Which inputs of the graph the tables are for. Their layout, unless told: "hf" where the graph declares three dims. */
export interface RotaryTableOptions extends Pick<RotaryInputOptions, "layout" | "type">, TensorOption<any> {
  /** The graph's inputs. Default: those whose names have "cos" and "sin" in them. */
  cos?: string;
  /** As `cos`. */
  sin?: string;
}

/** Takes the tables out again; also with `using`. */
export interface Undo {
  (): void;
  [Symbol.dispose](): void;
}

/**
 * Gives a transformers.js model's graph cos and sin of an encoding at each forward pass, also inside pipelines and
 * `generate`. For graphs that declare them as inputs: usual exports have their own tables inside, which nobody can
 * change from outside. Tables grow with the sequence; kinds that go by its length follow it. Inputs that are given by
 * name are left as they are. Returns a function that undoes it. Throws: unsupported, naming the graph's inputs.
 */
export function withRotaryTables(
  model: ModelLike,
  encoding: RotaryEncoding<any>,
  given: RotaryTableOptions = {},
): Undo {
  const options = readOptions(given, modelOptions);
  checkFamily(encoding, "rotary", "withRotaryTables");
  if (typeof model?._forward !== "function" || typeof model.sessions !== "object")
    throw invalid("model", `must be a model of transformers.js (pipeline.model), got ${show(model)}`);
  const session = sessionWithTables(model, options);
  const tables = tableMaker(encoding, session, options);
  const forward = model._forward;
  const wrapped: Forward = async (self, inputs) => forward.call(model, self, { ...tables(inputs), ...inputs });
  model._forward = wrapped;
  const undo = (): void => {
    if (model._forward === forward) return;
    if (model._forward !== wrapped) throw invalid("model", "was wrapped again since: undo that first");
    model._forward = forward;
  };
  return Object.assign(undo, { [Symbol.dispose]: undo });
}

const modelOptions = {
  cos: maybe(text),
  sin: maybe(text),
  layout: maybe(oneOf("onnx", "hf")),
  type: maybe(oneOf("float32", "float16")),
  Tensor: asIs,
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
    `model: its graph takes no cos and sin tables, they are inside it; its inputs are ${names.join(", ")}`,
    "model",
  );
}

/** What the graph declares of an input; older runtimes do not tell. */
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

/** The feeds of a forward pass by name; what still fits is kept for the next one. */
function tableMaker(encoding: RotaryEncoding<any>, named: Named, options: Options): (inputs: Inputs) => Inputs {
  const { shape, type: wanted } = declared(named) ?? {};
  const { layout = shape?.length === 3 ? "hf" : "onnx", type = wanted === "float16" ? "float16" : "float32" } = options;
  checkWidth(named, encoding, layout);
  const followsLength = changesWithLength(encoding);
  let kept: { rows: number; feeds: Inputs } | undefined;
  return (inputs) => {
    const Tensor = options.Tensor ?? tensorClass(inputs);
    const feeds = (at: object): Inputs => {
      const { cos, sin } = rotaryInputs(encoding, { ...at, layout, type, Tensor });
      return { [named.cos]: cos, [named.sin]: sin };
    };
    const length = sequenceLength(inputs);
    if (layout === "hf") return feeds({ positions: idsOf(inputs), sequenceLength: length });
    if (kept && kept.rows >= length && !followsLength) return kept.feeds;
    // Doubling, so that a generation seldom needs new ones.
    const rows = followsLength ? length : 2 ** Math.ceil(Math.log2(length));
    kept = { rows, feeds: feeds({ length: rows, sequenceLength: length }) };
    return kept.feeds;
  };
}

function changesWithLength(encoding: RotaryEncoding<any>): boolean {
  const longest = encoding.frequenciesAt(2 ** 40);
  return encoding.frequenciesAt(1).some((frequency, i) => frequency !== longest[i]);
}

function tensorClass({ input_ids, inputs_embeds, attention_mask }: Inputs): TensorClass<any> {
  const like: RuntimeTensor | undefined = input_ids ?? inputs_embeds ?? attention_mask;
  if (like === undefined) throw invalid("Tensor", "needed: the inputs hold no tensor whose class could be used");
  return like.constructor as TensorClass<any>;
}

/** How many tokens the cache holds. */
const cachedLength = ({ past_key_values: cache }: Inputs): number => cache?.get_seq_length?.() ?? 0;

const newLength = ({ input_ids, inputs_embeds }: Inputs): number => (input_ids ?? inputs_embeds)?.dims[1] ?? 0;

/** Cached and new tokens, and beyond the last of them where position ids go further. */
function sequenceLength(inputs: Inputs): number {
  const { attention_mask, position_ids } = inputs;
  let length: number = attention_mask?.dims.at(-1) ?? cachedLength(inputs) + newLength(inputs);
  for (const id of (position_ids?.data ?? []) as Iterable<number | bigint>) length = Math.max(length, Number(id) + 1);
  return Math.max(1, length);
}

/** The position ids that the model gets, or would make itself. */
function idsOf(inputs: Inputs): ArrayLike2D {
  const { attention_mask, position_ids } = inputs;
  if (position_ids) return position_ids;
  const past = cachedLength(inputs);
  if (attention_mask) return positionIds(attention_mask, { pastLength: past, padding: 1 });
  const [rows, columns] = [(inputs["input_ids"] ?? inputs["inputs_embeds"]).dims[0] as number, newLength(inputs)];
  const data = Int32Array.from({ length: rows * columns }, (_, i) => past + (i % columns));
  return { data, dims: [rows, columns] };
}

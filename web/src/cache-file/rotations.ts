// The rotation of cached keys: what a file says of it, and how keys move.
import { PosencError, invalid } from "../base/errors.js";
import type { Json } from "../base/json.js";
import type { Encoding } from "../encodings/encoding.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import { encodingAt, type LayerEncodings } from "../transformers/layer-encodings.js";
import type { Rows } from "./elements.js";
import type { RotationInfo } from "./format.js";

/** Positions of some tokens: a list for each axis. */
export type Axes = readonly (readonly number[])[];

/** Returns the rotary encoding of a layer; undefined: its keys are not rotated. */
export function rotaryAt(encodings: LayerEncodings, layer: number): RotaryEncoding<any> | undefined {
  const encoding = encodingAt(encodings, layer);
  return encoding?.family === "rotary" ? (encoding as RotaryEncoding<any>) : undefined;
}

/** Throws `unsupported` if keys of a layer depend on where they are, not only on a rotation. */
export function checkMovable(encodings: LayerEncodings, layer: number): void {
  const { family, kind } = (encodingAt(encodings, layer) ?? {}) as Partial<Encoding<any>>;
  if (family === "table" || family === "relative")
    throw new PosencError("unsupported", `encoding: keys with ${kind} (${family}) cannot be moved`, "encoding");
}

const positionsFor = ({ axes }: RotaryEncoding<any>, all: Axes): any => (axes > 1 && all.length > 1 ? all : all[0]!);

const tensorOf = ({ type, data, heads, width }: Rows): any => ({
  type,
  data,
  dims: [1, data.length / (heads * width), heads, width],
});

const closeTo = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((number, i) => Math.abs(number - b[i]!) <= 1e-5 * Math.max(1, Math.abs(number)));

/** A position for each axis. */
const probePositions = [3, 5, 7, 11];

/** Returns a rotation as files describe it. */
export function rotationInfo(rotary: RotaryEncoding<any>): RotationInfo {
  const positions = positionsFor(
    rotary,
    probePositions.slice(0, rotary.axes).map((position) => [position]),
  );
  // Frequencies may depend on the length of the text.
  const { originalLength } = rotary.spec as { originalLength?: number };
  const probe = [1, 4 * (originalLength || 1)].flatMap((sequenceLength) => {
    const ones: Rows = { type: "float32", data: new Float32Array(rotary.dim).fill(1), heads: 1, width: rotary.dim };
    rotary.apply(tensorOf(ones), { positions, sequenceLength, layout: "bthd", role: "key" });
    return Array.from(ones.data);
  });
  return { spec: rotary.spec as Json, probe };
}

/** Throws `invalid-argument` if a file's rotation is not the model's. */
export function checkRotation(
  saved: RotationInfo | undefined,
  rotary: RotaryEncoding<any> | undefined,
  layer: number,
): void {
  const differs = (of: string, model: string): PosencError =>
    invalid("encoding", `layer ${layer}: the file's keys have ${of}, the model's ${model}; a file fits one model`);
  if (!saved && rotary) throw differs("no rotation", rotary.kind);
  if (saved && !rotary) throw differs(String(saved.spec["kind"]), "no rotation");
  if (!saved || !rotary) return;
  const own = rotationInfo(rotary);
  if (closeTo(saved.probe, own.probe)) return;
  const names = Object.keys({ ...saved.spec, ...own.spec });
  const name = names.find((one) => JSON.stringify(saved.spec[one]) !== JSON.stringify(own.spec[one]));
  const value = (spec: Json): string => `${name} ${JSON.stringify(spec[name!])}`.slice(0, 60);
  throw name === undefined
    ? differs("other learned frequencies", "its own")
    : differs(value(saved.spec), value(own.spec));
}

/** Where keys were, and where they go. */
export interface Move {
  readonly from: Axes;
  readonly to: Axes;
  /** Sequence lengths that frequencies were, and are, chosen for. */
  readonly before: number;
  readonly after: number;
}

const isSame = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((number, i) => number === b[i]);

const copyOf = (keys: Rows): Rows => ({ ...keys, data: keys.data.slice() });

/** Returns keys at new positions. Keys that stay keep their bits. */
export function movedKeys(rotary: RotaryEncoding<any>, keys: Rows, { from, to, before, after }: Move): Rows {
  const stays = from.every((axis, i) => isSame(axis, to[i]!));
  const isDynamic = rotary.kind === "rope-dynamic";
  const frequencies = (length: number): ArrayLike<number> => rotary.frequenciesAt(length);
  // Dynamic NTK changes its frequencies with each token: such keys stay as they are, as in Transformers.
  if (stays && (isDynamic || isSame(frequencies(before), frequencies(after)))) return keys;
  if (isDynamic && !isSame(frequencies(before), frequencies(1)))
    throw new PosencError(
      "unsupported",
      `encoding: rope-dynamic changed its frequencies within the ${before} tokens of the file: keys can only stay`,
      "encoding",
    );
  const copy = copyOf(keys);
  rotary.rerotate(tensorOf(copy), {
    ...{ from: positionsFor(rotary, from), to: positionsFor(rotary, to), layout: "bthd" },
    ...{ fromSequenceLength: before, sequenceLength: after },
  });
  return copy;
}

/** Returns keys that were not rotated as rotated, or the other way round. */
export function rotatedKeys(
  rotary: RotaryEncoding<any>,
  keys: Rows,
  at: Axes,
  sequenceLength: number,
  inverse: boolean,
): Rows {
  const options = { positions: positionsFor(rotary, at), sequenceLength, inverse, role: "key", layout: "bthd" };
  const copy = copyOf(keys);
  rotary.apply(tensorOf(copy), options as never);
  return copy;
}

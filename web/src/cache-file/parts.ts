// Parts of files in a row: their tokens, and the positions that they get.
import { checkWhole } from "../base/arrays.js";
import { checkAxes } from "../base/axes.js";
import { invalid, show } from "../base/errors.js";
import { count } from "../base/options.js";
import type { NumberArray } from "../base/types.js";
import { modelNames, type ModelNames } from "./format.js";
import { CacheFile } from "./open.js";
import type { Axes } from "./rotations.js";

/** A file, or some of its tokens. */
export interface FilePart {
  /** The file, from `openCache`. */
  file: CacheFile;
  /** Index of the first token. Default: 0. */
  from?: number;
  /** Index after the last token. Default: the number of tokens. */
  to?: number;
}

/** A file, a part of one, or a list of both. */
export type Files = CacheFile | FilePart | readonly (CacheFile | FilePart)[];

/** Some tokens of a file, with their new positions. */
export interface Piece {
  readonly file: CacheFile;
  readonly from: number;
  readonly to: number;
  readonly old: Axes;
  readonly at: Axes;
}

/** Reads the parts. Throws `invalid-argument`, `out-of-range`. */
export function partsOf(given: Files): Required<FilePart>[] {
  const list = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw invalid("files", "must have a file");
  return list.map((part: CacheFile | FilePart) => {
    const { file, from = 0, to = undefined } = part instanceof CacheFile ? { file: part } : (part ?? {});
    if (!(file instanceof CacheFile)) throw invalid("files", `must be files of openCache, got ${show(part)}`);
    const end = to ?? file.length;
    count(0, file.length)(end, "to");
    count(0, Math.max(0, end - 1))(from, "from");
    return { file, from, to: end };
  });
}

/** Throws `invalid-argument` if the files are of different models, or not of this one. */
export function checkModels(files: readonly CacheFile[], model: ModelNames): void {
  for (const name of modelNames) {
    const wanted = model[name] ?? files.find((file) => file.model[name] !== undefined)?.model[name];
    const other = files.find((file) => file.model[name] !== undefined && file.model[name] !== wanted)?.model[name];
    if (other !== undefined) throw invalid("model", `${name}: the file is of ${show(other)}, not of ${show(wanted)}`);
  }
}

/** Throws `invalid-argument` if a prompt does not begin with the tokens of the parts. */
export function checkTokens(parts: readonly Required<FilePart>[], prompt: NumberArray): void {
  checkWhole(prompt, "tokens");
  const tokens = parts.flatMap(({ file, from, to }) => {
    if (file.tokens) return file.tokens.slice(from, to);
    throw invalid("files", "must have tokens: pass them to saveCache");
  });
  const index = tokens.findIndex((token, i) => token !== Number(prompt[i]));
  if (index >= 0)
    throw invalid(
      "tokens",
      `must begin with those of the files: token ${index} is ${prompt[index]}, not ${tokens[index]}`,
    );
}

/** Returns the parts with their new positions: each part follows the one before. */
export function piecesOf(parts: readonly Required<FilePart>[], at: readonly number[] = [0]): Piece[] {
  const axes = Math.max(...parts.map(({ file }) => file.positions.length));
  checkAxes(at, axes, "at");
  let next: readonly number[] = Array.from({ length: axes }, (_, axis) => at[axis % at.length]!);
  return parts.map(({ file, from, to }) => {
    const old = Array.from({ length: axes }, (_, axis) =>
      file.positions[Math.min(axis, file.positions.length - 1)]!.slice(from, to),
    );
    const moved = old.map((axis, i) => axis.map((position) => position - axis[0]! + next[i]!));
    const after = 1 + moved.flat().reduce((most, position) => Math.max(most, position), -Infinity);
    next = next.map(() => after);
    return { file, from, to, old, at: moved };
  });
}

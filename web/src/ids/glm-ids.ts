// ChatGLM-6B's two position ids: one for the prompt, one for the generated text.
import { idArray } from "../base/arrays.js";
import { invalid, show } from "../base/errors.js";
import { flag, or, readOptions, type Reader } from "../base/options.js";
import type {
  ArrayLike2D,
  IdTensor,
  NumberArray,
  OwnedBigInt64Array,
  OwnedInt32Array,
  UntypedTensor,
} from "../base/types.js";
import { axisIds, type AxisIds } from "./grid-ids.js";
import { idType, isId, perRow, readRows } from "./position-ids.js";

/** Options of `glmPositionIds`. */
export interface GlmIdOptions {
  /** Token after which the model generates, `bos_token_id` of the config. The first one in each row counts. */
  bosTokenId: number;
  /** Index of the [MASK] or [gMASK] token in the prompt, from 0: one number, or one per row. */
  maskPosition: number | NumberArray;
  /**
   * Whether that token is [gMASK]: the first axis then continues for generated tokens. Default false: it stays at `maskPosition`.
   */
  gmask?: boolean;
  /** Type of the ids. Default "int32". */
  type?: "int32" | "int64";
}

const id: Reader<number> = (value, name) => {
  if (!isId(value)) throw invalid(name, `must be a whole number of 32 bits, got ${show(value)}`);
  return value;
};
const columnsOfMasks: Reader<number[]> = (value, name) => [perRow(value, name)].flat();
const glmOptions = { bosTokenId: id, maskPosition: columnsOfMasks, gmask: or(flag, false), type: idType };

/** Returns ChatGLM-6B's two position ids of each token as int64, for `type: "int64"`. */
export function glmPositionIds(
  tokens: ArrayLike2D | UntypedTensor | NumberArray | readonly NumberArray[],
  options: GlmIdOptions & { type: "int64" },
): AxisIds<OwnedBigInt64Array>;
/**
 * Returns ChatGLM-6B's two position ids of each token, one for the prompt and one for the generated text.
 *
 * Pass them as `positions` to the encoding that `fromConfig` creates, `rope-axial` with two axes. Before the first `bosTokenId`
 * of a row, the first axis counts 0, 1, 2, … and the second is 0. From that token on, the second axis counts 1, 2, 3, …; the
 * first stays at `maskPosition`, or continues with `gmask`.
 * @param tokens Token ids, shape [B, T] or [T]: an array of rows, one row, or { data, dims }.
 * @param options `bosTokenId` and `maskPosition` of the prompts, `gmask`, and the type of the ids.
 * @returns Shape [2, B, T], or [2, T] for tokens [T]; int32, or int64 with `type`. `axes` holds one array of B · T ids per axis.
 * @throws {PosencError} `invalid-argument` if a row has no `bosTokenId` or `maskPosition` is outside of the row; `out-of-memory`.
 * @example
 * const { axes } = glmPositionIds([[12, 130001, 130004, 20]], { bosTokenId: 130004, maskPosition: 1 });
 * // axes: [0, 1, 1, 1] and [0, 0, 1, 2]
 * @see Du et al. 2022, arXiv:2103.10360, section 2.2; `get_position_ids` of THUDM/chatglm-6b
 */
export function glmPositionIds(
  tokens: ArrayLike2D | UntypedTensor | NumberArray | readonly NumberArray[],
  options: GlmIdOptions,
): AxisIds;
export function glmPositionIds(
  tokens: ArrayLike2D | UntypedTensor | NumberArray | readonly NumberArray[],
  options: GlmIdOptions,
): IdTensor<OwnedInt32Array | OwnedBigInt64Array> {
  const { bosTokenId: bos, maskPosition: masks, gmask, type } = readOptions(options, glmOptions);
  const { values, rows, columns, dims } = readRows(tokens, "tokens");
  if (masks.length !== 1 && masks.length !== rows)
    throw invalid("maskPosition", `must be one number, or one for each of ${rows} rows, got ${masks.length}`);
  const wrong = masks.find((column) => column >= Math.max(1, columns));
  if (wrong !== undefined)
    throw invalid("maskPosition", `must be an index in a row, 0 to ${Math.max(0, columns - 1)}, got ${wrong}`);
  const ids = idArray(2 * values.length);
  for (let row = 0; row < rows; row++) {
    const first = row * columns;
    const context = values.slice(first, first + columns).indexOf(bos);
    if (context < 0) throw invalid("tokens", `must have the bosTokenId ${bos} in each row, row ${row} has none`);
    const mask = masks[masks.length === 1 ? 0 : row]!;
    for (let column = 0; column < columns; column++) {
      const isWritten = column >= context;
      ids[first + column] = isWritten && !gmask ? mask : column;
      ids[values.length + first + column] = isWritten ? column - context + 1 : 0;
    }
  }
  return { ...axisIds(ids, 2, type), dims: [2, ...dims] };
}

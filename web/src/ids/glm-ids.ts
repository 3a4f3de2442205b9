// ChatGLM-6B's two position ids: the place in the prompt, and the place in what is written.
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

/** How the tokens of ChatGLM-6B are numbered. */
export interface GlmIdOptions {
  /** The token after which the model writes, `bos_token_id` of the config: the first one of each row counts. */
  bosTokenId: number;
  /** Where the prompt's [MASK] or [gMASK] stands, counted from 0: one number, or one for each row. */
  maskPosition: number | NumberArray;
  /** It is a [gMASK]: what is written goes on counting on the first axis, too. Default false: it stays at `maskPosition`. */
  gmask?: boolean;
  /** Default "int32". */
  type?: "int32" | "int64";
}

const id: Reader<number> = (value, name) => {
  if (!isId(value)) throw invalid(name, `must be a whole number of 32 bits, got ${show(value)}`);
  return value;
};
const places: Reader<number[]> = (value, name) => [perRow(value, name)].flat();
const glmOptions = { bosTokenId: id, maskPosition: places, gmask: or(flag, false), type: idType };

/**
 * Position ids [2, B, T] of ChatGLM-6B, for tokens [B, T] (of tokens [T]: [2, T]): its rotation is `rope-axial` with two axes, as
 * `fromConfig` gives it. Up to the first `bosTokenId` of a row the first axis counts 0, 1, 2 … and the second stays at 0;
 * from there on the second counts 1, 2, 3 …, and the first stays at `maskPosition`, or with `gmask` goes on.
 * Throws: invalid-argument. Source: `get_position_ids` of THUDM/chatglm-6b; Du et al. 2022, arXiv:2103.10360, section 2.2.
 */
export function glmPositionIds(
  tokens: ArrayLike2D | UntypedTensor | NumberArray | readonly NumberArray[],
  options: GlmIdOptions & { type: "int64" },
): AxisIds<OwnedBigInt64Array>;
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
  const wrong = masks.find((place) => place >= Math.max(1, columns));
  if (wrong !== undefined)
    throw invalid("maskPosition", `must be a place of a row, from 0 to ${Math.max(0, columns - 1)}, got ${wrong}`);
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

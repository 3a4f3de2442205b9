// Which axis of a stored tensor is which, and how to hand it to the library.
import { copyTensor } from "./arrays.mjs";
import { Unsupported } from "./needs.mjs";

const AXIS_NAMES = {
  b: "b",
  batch: "b",
  t: "t",
  n: "t",
  seq: "t",
  seq_len: "t",
  tokens: "t",
  positions: "t",
  h: "h",
  heads: "h",
  num_heads: "h",
  d: "d",
  dim: "d",
  head_dim: "d",
};

/** The axes that a text such as `q [T, batch, heads, head_dim]` names, as letters: "tbhd". */
export function axesFromText(text, rank) {
  for (const [, list] of String(text ?? "").matchAll(/\[([^\]]+)\]/g)) {
    const axes = list.split(",").map((name) => AXIS_NAMES[name.trim().toLowerCase()]);
    if (axes.length === rank && axes.every(Boolean)) return axes.join("");
  }
  return undefined;
}

/**
 * The axes of a tensor of heads: named by the case's texts where they do, otherwise by the axis that has `count`
 * positions. `fallback` decides where several axes have that length.
 */
export function headAxes(parsed, dims, count, fallback = "bhtd") {
  const { params, notes } = parsed;
  for (const text of [params.shapes, params.layout, notes]) {
    const axes = axesFromText(text, dims.length);
    if (axes) return axes;
  }
  if (dims.length === 2) return "tm";
  if (dims.length === 3) return dims[0] === count ? "thd" : "btd";
  const candidates = [dims[2] === count && "bhtd", dims[1] === count && "bthd", dims[0] === count && "tbhd"];
  const possible = candidates.filter(Boolean);
  return possible.length === 1 ? possible[0] : fallback;
}

// The library takes bhtd and bthd. The other orders are views of the same memory under one of these two.
function viewOf(dims, axes, headDim) {
  switch (axes) {
    case "bhtd":
    case "bthd":
      return { dims, layout: axes };
    case "tbhd":
      return { dims: [1, dims[0], dims[1] * dims[2], dims[3]], layout: "bthd" };
    case "thd":
      return { dims: [1, ...dims], layout: "bthd" };
    case "btd":
      return { dims: [dims[0], 1, dims[1], dims[2]], layout: "bhtd" };
    case "tm":
      return { dims: [1, dims[0], dims[1] / headDim, headDim], layout: "bthd" };
    default:
      throw new Unsupported(`tensors in the order ${axes} are not mapped`);
  }
}

/** A rotated copy of a stored tensor, under the stored dims. */
export function rotated(encoding, array, axes, options = {}) {
  const view = viewOf(array.dims, axes, encoding.dim);
  const tensor = copyTensor(array, view.dims);
  const result = encoding.apply(tensor, { ...options, layout: view.layout });
  return { data: result.data, dims: array.dims };
}

/** A matrix turned over: [places, channels] ↔ [channels, places]. */
export function transpose({ data, dims: [rows, columns] }) {
  const permuted = new data.constructor(data.length);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) permuted[c * rows + r] = data[r * columns + c];
  return { data: permuted, dims: [columns, rows] };
}

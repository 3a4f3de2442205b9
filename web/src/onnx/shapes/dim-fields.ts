// Where a file declares the dims of inputs and outputs.
import type { ValueInfo } from "../read/graph.js";
import { Fields, type FieldRange } from "../read/protobuf.js";
import type { Work } from "../rewrite/work.js";

// Fields of ValueInfoProto, TypeProto, Tensor and TensorShapeProto in onnx/onnx.proto of https://github.com/onnx/onnx
const way = [2, 1, 2, 1];

/** The field of a dim; undefined: it has none, or several fields are one message. */
export function dimFieldOf({ files }: Work, { range }: ValueInfo, axis: number): FieldRange | undefined {
  let found: FieldRange[] = [range];
  for (const number of way) {
    if (found.length !== 1) return undefined;
    const next: FieldRange[] = [];
    for (const fields = new Fields(files.model.pieces, found[0]!); fields.advance();)
      if (fields.number === number) next.push(fields.range);
    found = next;
  }
  return found[axis];
}

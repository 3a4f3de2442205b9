// Creates tensors in wasm memory from values.
import { arrayType, checkAttached, isBig, isNumberArray } from "../base/arrays.js";
import { checkLength } from "../base/dims.js";
import { invalid, show } from "../base/errors.js";
import type { TensorType } from "../base/types.js";
import type { Core } from "../wasm/core.js";
import { holdsBits, produce } from "./operand.js";
import { WasmTensor } from "./tensor.js";

/** See `Library.tensor`. Without data, elements are zeros. */
export function makeTensor(core: Core, dims: readonly number[], type: TensorType, data: unknown): WasmTensor<any> {
  const numbers = data === undefined ? undefined : numbersOf(core, data);
  if (numbers) checkLength(numbers.length, dims, "data");
  const tensor = new WasmTensor<any>(core, dims, type);
  if (!numbers) tensor.numbers().fill(0);
  else if (holdsBits(type, numbers) || (type === "float16" && arrayType(numbers) === "Float16Array")) {
    const { buffer, byteOffset, length } = numbers as Uint16Array;
    core.uint16s(tensor.addressIn(core)!, length).set(new Uint16Array(buffer, byteOffset, length));
  } else round(core, tensor, numbers);
  return tensor;
}

function round(core: Core, tensor: WasmTensor<any>, numbers: ArrayLike<number>): void {
  try {
    core.withScratch(() =>
      produce(core, tensor.dims, tensor, ({ address, length }) => core.floats(address, length).set(numbers)),
    );
  } catch (error) {
    tensor.dispose();
    throw error;
  }
}

/** Returns values that stay valid while wasm memory grows. */
function numbersOf(core: Core, data: unknown): ArrayLike<number> {
  if (Array.isArray(data))
    return Float32Array.from(data, (value: unknown, index) => {
      if (typeof value === "number") return value;
      const hint = Array.isArray(value) ? "; pass data.flat(Infinity)" : "";
      throw invalid("data", `must be an array of numbers, got ${show(value)} at index ${index}${hint}`);
    });
  if (!isNumberArray(data) || isBig(data)) throw invalid("data", `must be an array of numbers, got ${show(data)}`);
  checkAttached(data, "data");
  return core.copyIfWasmBacked(data as Float32Array);
}

// What every entry point of the package exports besides `init`.
export { BiasEncoding } from "./bias.js";
export type * from "./compare.js";
export type { ConfigOptions } from "./config.js";
export { Encoding } from "./encoding.js";
export { PosencError, type ErrorCode } from "./errors.js";
export type * from "./explain.js";
export { Posenc } from "./posenc.js";
export { RotaryEncoding } from "./rotary.js";
export type * from "./specs.gen.js";
export { TableEncoding } from "./table.js";
export { WasmTensor } from "./tensor.js";
export { ParameterTensor } from "./parameters.js";
export type * from "./types.js";

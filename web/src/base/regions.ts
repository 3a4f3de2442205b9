// Memory and positions as they are passed to the core, in the form that cpp/bindings/frame.hpp defines.

/** An address in wasm memory. */
export type Address = number;

/** Handle of the core's object of an encoding; 0: none. */
export type Handle = number;

/** A number of elements from an address on. */
export interface List {
  address: Address;
  length: number;
}

/** Elements in wasm memory: their address and dims. */
export interface Region extends List {
  dims: readonly number[];
}

/** An argument of the core that was not given. */
export const nothing: Region = { address: 0, length: 0, dims: [] };

/** Positions as the core takes them: values in wasm memory, consecutive ones from `offset`, or a grid. */
export interface PositionRegion {
  address: Address;
  /** Number of values per axis; 0: consecutive positions, or the cells of a grid. */
  given: number;
  offset: number;
  count: number;
  /** Number of cells along each axis. The values of an axis follow those of the previous one. */
  extent: readonly number[];
  /** Number of values from one axis to the next. */
  stride: number;
}

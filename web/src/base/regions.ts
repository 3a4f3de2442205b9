// What the core is told of memory and places: how these types cross is said in cpp/bindings/frame.hpp.

/** Where something lies in wasm memory. */
export type Address = number;

/** The core's object of an encoding; 0: none. */
export type Handle = number;

/** So many elements from an address on. */
export interface List {
  address: Address;
  length: number;
}

/** Numbers in wasm memory: where they are and what shape they are said to have. */
export interface Region extends List {
  dims: readonly number[];
}

/** What the core takes for an argument that was not given. */
export const nothing: Region = { address: 0, length: 0, dims: [] };

/** Positions as the core takes them: numbers in wasm memory, a run from `offset`, or a grid. */
export interface PositionRegion {
  address: Address;
  /** How many numbers each axis has; 0: a run, or the places of a grid. */
  given: number;
  offset: number;
  count: number;
  /** Places along each axis; the numbers of each axis follow those of the one before. */
  extent: readonly number[];
  /** From one axis to the next, in numbers. */
  stride: number;
}

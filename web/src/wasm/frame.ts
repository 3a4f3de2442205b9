// Arguments of a call to the core: numbers one after another, read by C++ in the same order (cpp/bindings/frame.hpp).
// The type of each call defines its arguments.
import type { Calls, Operation } from "../base/calls.gen.js";
import type { List, PositionRegion, Region } from "../base/regions.js";

/** The exports of the WebAssembly module (cpp/bindings/bindings.cpp). */
export interface CoreModule {
  HEAPF64: Float64Array;
  HEAPF32: Float32Array;
  HEAPU8: Uint8Array;
  /** Its index in `variants`. */
  variant(): number;
  /** Whether this engine computes correctly. */
  rotatesRightly(): boolean;
  /** The same for the part `attention`, once it is loaded. */
  attendsRightly(): boolean;
  /** A digest of the calls that it knows. */
  schema(): number;
  /** Address of the text of the last error; the frame then begins with its length in bytes. */
  lastError(): number;
  frameAddress(): number;
  allocate(bytes: number): number;
  release(address: number): void;
  destroyEncoding(address: number): void;
  destroyCache(address: number): void;
  /** Returns 1 if the call succeeded. */
  _posenc_call(operation: number): number;
  /** Whether a buffer is its memory, or was before the memory grew. With threads, such older arrays stay valid. */
  owns?(buffer: unknown): boolean;
}

/** Number of values in the frame (cpp/bindings/frame.hpp). */
const frameSize = 256;

type Argument = number | boolean | readonly number[] | List | Region | PositionRegion;

export class Frame {
  private numbers: Float64Array;
  private at = 0;

  constructor(private readonly module: CoreModule) {
    this.numbers = this.view();
  }

  // Kept until memory growth detaches it.
  private view(): Float64Array {
    const address = this.module.frameAddress();
    return this.module.HEAPF64.subarray(address / 8, address / 8 + frameSize);
  }

  get first(): number {
    return this.module.HEAPF64[this.module.frameAddress() / 8]!;
  }

  write<O extends Operation>(given: Calls[O]): void {
    if (this.numbers.length === 0) this.numbers = this.view();
    this.at = 0;
    for (const argument of given as readonly Argument[]) {
      if (typeof argument !== "object") this.numbers[this.at++] = argument as number;
      else if ("stride" in argument) this.positions(argument);
      else if ("address" in argument) this.region(argument);
      else this.shape(argument);
    }
  }

  private shape(dims: readonly number[]): void {
    const { numbers } = this;
    let { at } = this;
    numbers[at++] = dims.length;
    for (let axis = 0; axis < dims.length; axis++) numbers[at++] = dims[axis]!;
    this.at = at;
  }

  private region(region: List | Region): void {
    const { numbers } = this;
    numbers[this.at++] = region.address;
    numbers[this.at++] = region.length;
    if ("dims" in region) this.shape(region.dims);
  }

  private positions({ address, given, offset, count, extent, stride }: PositionRegion): void {
    const { numbers, at } = this;
    numbers[at] = address;
    numbers[at + 1] = given;
    numbers[at + 2] = offset;
    numbers[at + 3] = count;
    numbers[at + 4] = extent.length;
    numbers[at + 5] = stride;
    for (let axis = 0; axis < extent.length; axis++) numbers[at + 6 + axis] = extent[axis]!;
    this.at = at + 6 + extent.length;
  }
}

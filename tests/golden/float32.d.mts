/** What the library makes by float32 steps, and what the reference made. */
export interface Float32Output {
  name: string;
  ours: ArrayLike<number>;
  reference: Float32Array;
}
export function float32Outputs(pe: unknown, json: unknown): Float32Output[];

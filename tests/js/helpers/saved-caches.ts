// Caches of transformers.js models with random keys, as their layers rotate them.
import type { LayerEncodings } from "posenc/cache-file";
import { createRotary, pe } from "./library";
import { randomNumbers } from "./numbers";

export interface CacheShape {
  readonly layers?: number;
  readonly heads?: number;
  readonly tokens: number;
  readonly dim: number;
  readonly valueDim?: number;
  readonly type?: "float32" | "float16";
}

type Rotary = ReturnType<typeof createRotary>;
export type Axes = readonly (readonly number[])[];

export const numbersOf = ({ type, data }: any): Float32Array =>
  type === "float16" ? (pe.toFloat32({ type, data, dims: [data.length] } as any).data as Float32Array) : data;

const tensorOf = (data: Float32Array, dims: number[], type: string): any =>
  type === "float16" ? pe.toFloat16({ type: "float32", data, dims } as any) : { type: "float32", data, dims };

/** Keys that are not rotated, of all layers. */
export const plainKeys = ({ heads = 2, tokens, dim }: CacheShape, layer: number) => ({
  type: "float32" as const,
  data: randomNumbers(heads * tokens * dim, 10 + layer),
  dims: [1, heads, tokens, dim],
});

/** Keys of a layer as its encoding rotates them at these positions. */
export function rotatedKeys(
  shape: CacheShape,
  layer: number,
  rotary: Rotary | null,
  at: Axes,
  sequenceLength?: number,
) {
  const keys = plainKeys(shape, layer);
  const positions = rotary && rotary.axes > 1 ? at : at[0]!;
  return rotary
    ? rotary.apply(keys, { positions, role: "key", ...(sequenceLength && { sequenceLength }) } as any)
    : keys;
}

/** The cache of a model, by names. */
export function cacheOf(
  shape: CacheShape,
  rotaryOf: (layer: number) => Rotary | null,
  at: Axes,
  sequenceLength?: number,
): Record<string, any> {
  const { layers = 1, heads = 2, tokens, dim, valueDim = dim, type = "float32" } = shape;
  return Object.fromEntries(
    Array.from({ length: layers }, (_, layer) => {
      const { data, dims } = rotatedKeys(shape, layer, rotaryOf(layer), at, sequenceLength);
      const values = randomNumbers(heads * tokens * valueDim, 100 + layer);
      return [
        [`past_key_values.${layer}.key`, tensorOf(data as never, dims as never, type)],
        [`past_key_values.${layer}.value`, tensorOf(values, [1, heads, tokens, valueDim], type)],
      ];
    }).flat(),
  );
}

/** Some tokens of a tensor [1, H, T, D]. */
export function tokensOf({ data, dims, ...rest }: any, from: number, to: number): any {
  const [, heads, tokens, width] = dims;
  const rows = Array.from({ length: heads }, (_, head) => [
    ...data.subarray((head * tokens + from) * width, (head * tokens + to) * width),
  ]);
  return { ...rest, data: Float32Array.from(rows.flat()), dims: [1, heads, to - from, width] };
}

/** Bytes of a Blob. */
export const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer());

export const same =
  (encoding: Rotary | null): LayerEncodings =>
  () =>
    encoding as never;

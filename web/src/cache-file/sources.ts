// What is saved: the cache of a transformers.js model, or those of `pe.cache`.
import { PosencError, invalid, show } from "../base/errors.js";
import type { KeyValueCache } from "../attention/cache.js";
import { entriesOf, fixedStates, lengthOfEntries, type Entry } from "../transformers/cache.js";
import type { LayerEncodings } from "../transformers/layer-encodings.js";
import type { Gpu } from "../webgpu/gpu.js";
import { dataOf, type Given } from "./elements.js";
import type { CacheInfo } from "./format.js";
import type { Axes } from "./rotations.js";

/** Keys and values of a layer. */
interface LayerSource {
  readonly names: readonly [string, string];
  readonly read: () => Promise<readonly [key: Given, value: Given]>;
}

/** Keys and values of all layers. */
export interface CacheSource {
  readonly length: number;
  readonly type: CacheInfo["cacheType"];
  readonly layers: readonly LayerSource[];
  readonly isRotated: boolean;
  /** Encodings and positions, if the cache knows them. */
  readonly encoding?: LayerEncodings;
  readonly positions?: Axes;
}

/** The caches of `pe.cache`, one for each layer. */
export type LayerCaches = readonly KeyValueCache[];

const unsupported = (why: string): PosencError => new PosencError("unsupported", `cache: ${why}`, "cache");

/** Returns the layers of a cache of any kind. */
export const sourceOf = (cache: object | LayerCaches, gpu: Gpu | undefined): CacheSource =>
  Array.isArray(cache) ? ofCaches(cache as LayerCaches) : ofRuntime(cache, gpu);

function ofRuntime(cache: object, gpu: Gpu | undefined): CacheSource {
  const entries = entriesOf(cache);
  const state = Object.keys(cache).find((name) => fixedStates.test(name));
  if (state !== undefined) throw unsupported(`${state} is a state of the whole text, which a file cannot keep`);
  const length = lengthOfEntries(entries);
  if (length === 0) throw invalid("cache", "must have tokens");
  const layers = Array.from({ length: 1 + Math.max(...entries.map(({ layer }) => layer)) }, (_, layer): LayerSource => {
    const [key, value] = [true, false].map((isKey) =>
      entries.find((one) => one.layer === layer && one.isKey === isKey),
    );
    if (!key || !value) throw invalid("cache", `must have keys and values of layer ${layer}`);
    return { names: [key.name, value.name], read: async () => [await tensorOf(key, gpu), await tensorOf(value, gpu)] };
  });
  return { length, type: typeOf(entries[0]!), layers, isRotated: true };
}

function typeOf({ name, tensor: { type } }: Entry): CacheInfo["cacheType"] {
  if (type === "float32" || type === "float16") return type;
  throw invalid("cache", `${name} must be float32 or float16, got ${show(type)}`);
}

async function tensorOf(entry: Entry, gpu: Gpu | undefined): Promise<Given> {
  const { name, tensor } = entry;
  const { dims } = tensor;
  if (dims[0] !== 1) throw unsupported(`${name} has ${dims[0]} texts, a file keeps one`);
  return { type: typeOf(entry), dims, data: await dataOf(tensor, gpu, name) };
}

function ofCaches(caches: LayerCaches): CacheSource {
  const [first] = caches;
  if (typeof first?.read !== "function") throw invalid("cache", `must be caches of pe.cache, got ${show(caches)}`);
  const { length } = first;
  if (length === 0) throw invalid("cache", "must have tokens");
  const other = caches.findIndex((cache) => cache.length !== length);
  if (other >= 0)
    throw new PosencError(
      "shape-mismatch",
      `cache: layer 0 has ${length} tokens, layer ${other} has ${caches[other]!.length}`,
      "cache",
    );
  const { positions } = first;
  return {
    ...{ length, type: "float32", isRotated: false },
    encoding: (layer: number) => (caches[layer]?.encoding ?? null) as never,
    positions: (Array.isArray(positions) ? positions : [positions]).map((axis) => Array.from(axis as Float64Array)),
    layers: caches.map((cache, layer) => ({
      names: [`past_key_values.${layer}.key`, `past_key_values.${layer}.value`],
      read: async () => {
        if (cache.dropped > 0) throw unsupported(`layer ${layer} has dropped ${cache.dropped} tokens of its text`);
        const { k, v } = cache.read({ encoding: null });
        if (k.dims[0] !== 1) throw unsupported(`layer ${layer} has ${k.dims[0]} texts, a file keeps one`);
        return [
          { ...k, isByToken: cache.layout === "bthd" },
          { ...v, isByToken: cache.layout === "bthd" },
        ];
      },
    })),
  };
}

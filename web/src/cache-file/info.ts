// Reads the metadata of a cache file. Nothing in it is trusted.
import { asObject, type Json } from "../base/json.js";
import { maxAxes } from "../base/options.js";
import type { CacheInfo, LayerInfo, ModelNames, RotationInfo } from "./format.js";

/** Thrown inside this module for a value that no file has. */
class Unsound extends Error {}

const need = (isSound: boolean): void => {
  if (!isSound) throw new Unsound();
};
const objectIn = (value: unknown): Json => {
  const object = asObject(value);
  need(object !== undefined);
  return object!;
};
const countIn = (value: unknown, least = 1, most = 2 ** 31 - 1): number => {
  need(Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most);
  return value as number;
};
const oneOf = <T>(value: unknown, ...names: readonly T[]): T => {
  need(names.includes(value as T));
  return value as T;
};
const listIn = <T>(value: unknown, read: (item: unknown) => T): T[] => {
  need(Array.isArray(value));
  return (value as unknown[]).map((item) => read(item));
};
const textIn = (value: unknown): string => {
  need(typeof value === "string");
  return value as string;
};
const nameIn = (value: unknown, side: "key" | "value"): string => {
  need(new RegExp(`^past_key_values\\.\\d+\\.(decoder\\.)?${side}$`).test(textIn(value)));
  return value as string;
};
const numberIn = (value: unknown): number => {
  need(Number.isFinite(value));
  return value as number;
};

function layerIn(value: unknown, rotations: number): LayerInfo {
  const { names, heads, dim, valueDim, rotation, window } = objectIn(value);
  const [key, kept] = listIn(names, textIn);
  return {
    names: [nameIn(key, "key"), nameIn(kept, "value")],
    heads: countIn(heads),
    dim: countIn(dim),
    valueDim: countIn(valueDim),
    rotation: rotation === null ? null : countIn(rotation, 0, rotations - 1),
    ...(window !== undefined && { window: countIn(window) }),
  };
}

const rotationIn = (value: unknown): RotationInfo => {
  const { spec, probe } = objectIn(value);
  textIn(objectIn(spec)["kind"]);
  return { spec: objectIn(spec), probe: listIn(probe, numberIn) };
};

const namesIn = (value: unknown): ModelNames =>
  Object.fromEntries(Object.entries(objectIn(value)).map(([name, one]) => [name, textIn(one)]));

/** Returns the metadata in a JSON text; undefined: it is damaged. */
export function infoIn(json: string): CacheInfo | undefined {
  try {
    const { length, type, cacheType, axes, sequenceLength, isRotated, hasTokens, layers, rotations, model } = objectIn(
      JSON.parse(json),
    );
    const found = listIn(rotations, rotationIn);
    return {
      length: countIn(length),
      type: oneOf(type, "float32", "float16", "int8"),
      cacheType: oneOf(cacheType, "float32", "float16"),
      axes: countIn(axes, 1, maxAxes),
      sequenceLength: numberIn(sequenceLength),
      isRotated: oneOf(isRotated, true, false),
      hasTokens: oneOf(hasTokens, true, false),
      layers: listIn(layers, (layer) => layerIn(layer, found.length)),
      rotations: found,
      model: namesIn(model),
    };
  } catch (error) {
    if (error instanceof Unsound || error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

// Reads a config.json: fields by any of their names, with errors for missing and contradictory ones.
import { kindOf } from "../base/arrays.js";
import { invalid, show, type PosencError } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";

/** Returns the object of a config.json. The error for a value that could become one says how. */
export function configObject(config: unknown): Json {
  const object = asObject(config);
  const kind = kindOf(config);
  if (object && kind === "Object") return object;
  const hint =
    kind === "Response"
      ? "; pass await response.json()"
      : kind === "String" || kind === "URL"
        ? "; pass the parsed file: JSON.parse(text), or await (await fetch(url)).json()"
        : "";
  throw invalid("config", `must be the object of a config.json, got ${show(config)}${hint}`);
}

/** undefined and null both mean "not given". */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Returns the entry of a table for a name from outside, which may be a name that all objects have. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Returns the first of these fields that is given. All of them count as read. */
export function number(config: Json, ...names: string[]): number | undefined {
  const values = names.map((name) => config[name]);
  const first = values.findIndex(isGiven);
  if (first < 0) return undefined;
  const [name, value] = [names[first]!, values[first]];
  if (typeof value !== "number") throw invalid(name, `must be a number, got ${show(value)}`);
  return value;
}

export function need(value: number | undefined, field: string): number {
  if (value === undefined) throw invalid(field, "is missing from the config");
  return value;
}

/** The error for a field that neither the config nor its model type determines. */
export const missing = (name: string, model: Json): PosencError =>
  invalid(name, `is missing from the config, and model_type ${show(model["model_type"])} implies none`);

/** Returns the first of these fields that is given; if none is, the error names the first. */
export const needNumber = (config: Json, ...names: string[]): number => need(number(config, ...names), names[0]!);

export function flag(config: Json, name: string): boolean | undefined {
  const value = config[name];
  if (!isGiven(value)) return undefined;
  if (typeof value !== "boolean") throw invalid(name, `must be true or false, got ${show(value)}`);
  return value;
}

export function text(config: Json, name: string): string | undefined {
  const value = config[name];
  if (!isGiven(value)) return undefined;
  if (typeof value !== "string") throw invalid(name, `must be a string, got ${show(value)}`);
  return value;
}

export const contradiction = (field: string, one: unknown, other: unknown): PosencError =>
  invalid(field, `contradicts itself: ${show(one)} and ${show(other)}`);

/** Returns a value that may be in several fields, which must agree. */
export function agreed(field: string, ...values: (number | undefined)[]): number | undefined {
  const [first, ...others] = values.filter((value) => value !== undefined);
  for (const other of others) if (other !== first) throw contradiction(field, first, other);
  return first;
}

/** Returns only the fields that the config gives. The core has the defaults. */
export function given(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export const modelType = (model: Json): string => text(model, "model_type") ?? "";
export const headCount = (model: Json): number =>
  needNumber(
    model,
    "num_attention_heads",
    "n_head",
    "n_heads",
    "num_heads",
    "encoder_attention_heads",
    "encoder_num_attention_heads",
  );
export const modelWidth = (model: Json): number => needNumber(model, "hidden_size", "d_model", "n_embd", "embed_dim");

/** Returns the hidden size divided by the number of heads, which must be whole. */
export function headShare(model: Json): number {
  const [width, heads] = [modelWidth(model), headCount(model)];
  if (!Number.isInteger(width / heads)) throw invalid("hidden_size", `${width} is not a multiple of ${heads} heads`);
  return width / heads;
}

/** Reads a number of layers. Numbers larger than any model has are rejected, as they would only take memory. */
export function layerCount(count: unknown, name: string): number {
  if (Number.isInteger(count) && (count as number) >= 0 && (count as number) <= 4096) return count as number;
  throw invalid(name, `must be a number of layers, got ${show(count)}`);
}

/** Reads after how many layers a pattern repeats, from the first of these fields that is given. All of them count as read. */
export function interval(model: Json, fallback: number, ...names: string[]): number {
  const [name] = names.filter((one) => isGiven(model[one]));
  return name === undefined ? fallback : sizeOf(model[name], name);
}

/** Reads a number of pixels, patches, frames or layers. */
export function sizeOf(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw invalid(
    name,
    value === undefined ? "is missing from the config" : `must be a whole number ≥ 1, got ${show(value)}`,
  );
}

/** Reads a size along two axes: one number, or [height, width]. */
export function pairOf(model: Json, name: string): [number, number] {
  const value = model[name];
  if (!Array.isArray(value)) return [sizeOf(value, name), sizeOf(value, name)];
  if (value.length !== 2) throw invalid(name, `must be one or two numbers, got ${show(value)}`);
  return [sizeOf(value[0], name), sizeOf(value[1], name)];
}

/** Returns the number of patches of an image along each axis. */
export function patchGrid(model: Json): [number, number] {
  const [image, patch] = [pairOf(model, "image_size"), pairOf(model, "patch_size")];
  return [Math.floor(image[0] / patch[0]), Math.floor(image[1] / patch[1])];
}

/** Returns the error of a model whose layers differ, for a kind of layer that it does not have. */
export const needLayerType = (names: readonly string[], got?: string): PosencError =>
  invalid(
    "layerType",
    `this model's layers differ (layers() returns all): must be one of ${names.map(show).join(", ")}, got ${show(got)}`,
  );

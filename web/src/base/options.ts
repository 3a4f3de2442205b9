// Reads the options of a call: each once, before anything else happens, and checked by name and type. Only undefined
// means omitted: null is an invalid value.
import { HeadLayout, Role } from "./calls.gen.js";
import { isNumberArray, kindOf } from "./arrays.js";
import { invalid, isCount, show } from "./errors.js";
import { unknownName } from "./names.js";

/** Converts the value of an option (undefined: omitted) to the value that the call uses. Throws `invalid-argument`. */
export type Reader<T> = (value: unknown, name: string) => T;
type Schema = Readonly<Record<string, Reader<unknown>>>;
export type Read<S extends Schema> = { readonly [Name in keyof S]: ReturnType<S[Name]> };

/** All names of a union of options. */
type NamesOf<Options> = Options extends unknown ? keyof Options : never;
type ValueOf<Options, Name> = Options extends unknown ? (Name extends keyof Options ? Options[Name] : never) : never;

export declare const schemaOf: unique symbol;
/** The options that `nested` reads; the compiler compares their names, too. */
export interface Nested<S> {
  readonly [schemaOf]?: S;
}

/** Names that options declare and a call does not read, or the other way round; never: there are none. */
type Misfit<Options, S> =
  | Exclude<NamesOf<Options>, keyof S>
  | Exclude<keyof S, NamesOf<Options>>
  | { [Name in keyof S]: S[Name] extends Reader<infer R> ? NestedMisfit<ValueOf<Options, Name>, R> : never }[keyof S];
type NestedMisfit<Options, R> = 0 extends 1 & R
  ? never
  : R extends { readonly [schemaOf]?: infer S }
    ? typeof schemaOf extends keyof R
      ? Misfit<Exclude<Options, undefined>, NonNullable<S>>
      : never
    : never;

/**
 * Reads the options, each with its reader, once: later changes by getters have no effect. The compiler compares the
 * names in the type of `given` with the names that are read.
 */
export function readOptions<Options extends object, S extends Schema>(
  given: Options,
  schema: S & ([Misfit<Options, S>] extends [never] ? unknown : { misfit: Misfit<Options, S> }),
  field = "options",
): Read<S> {
  return readUnknown<S>(given, schema, field);
}

/** Reads options whose type is not known. It is short, as rotating one token takes less time than a dozen look-ups. */
function readUnknown<S extends Schema>(given: unknown, schema: S, field: string): Read<S> {
  const { readers, absent, needed } = prepared(schema);
  const isPlain = (given as object | undefined)?.constructor === Object;
  // Lists, maps, promises, encodings and tensors would look like empty or misspelt options.
  if (!isPlain && kindOf(given) !== "Object") throw refusal(given, schema, field);
  const options = given as Record<string, unknown>;
  let names: string[] = [];
  for (const name in options)
    if (readers.has(name)) names.push(name);
    else throw refusal(given, schema, field, name);
  // Of a plain object only present options are read; others may have getters in their class.
  if (!isPlain) names = [...readers.keys()];
  // All values are read before the first is converted: a later getter may change an earlier value.
  const values = names.map((name) => options[name]);
  const read = { ...absent };
  names.forEach((name, i) => (read[name] = readers.get(name)!(values[i], name)));
  for (const name of needed) if (!names.includes(name)) readers.get(name)!(undefined, name);
  return read as Read<S>;
}

/** Returns the error for a value that is not options, or has an option of an unknown name. */
function refusal(given: unknown, schema: Schema, field: string, name?: string): Error {
  if (name && !("data" in (given as object) && "dims" in (given as object)))
    return invalid(name, unknownName("option", name, Object.keys(schema)));
  const got = name ? "a tensor { data, dims }" : show(given);
  return invalid(field, `must be an object such as ${asOptions(given, schema, prepared(schema).needed)}, got ${got}`);
}

interface Prepared {
  readers: ReadonlyMap<string, Reader<unknown>>;
  /** Value of each option that is omitted. */
  absent: Record<string, unknown>;
  /** Options that cannot be omitted: their readers throw then. */
  needed: string[];
}

const allPrepared = new WeakMap<Schema, Prepared>();

/** Returns the values of omitted options. They are computed once for each schema and are never changed. */
function prepared(schema: Schema): Prepared {
  const known = allPrepared.get(schema);
  if (known) return known;
  const made: Prepared = { readers: new Map(Object.entries(schema)), absent: {}, needed: [] };
  for (const [name, reader] of made.readers)
    try {
      made.absent[name] = reader(undefined, name);
    } catch {
      made.needed.push(name);
    }
  allPrepared.set(schema, made);
  return made;
}

/** Returns a hint for a value that was passed instead of options. */
function asOptions(given: unknown, schema: Schema, needed: readonly string[]): string {
  const one = (value: string, ...names: string[]): string[] =>
    names.filter((name) => Object.hasOwn(schema, name)).map((name) => `{ ${name}: ${value} }`);
  const list = Array.isArray(given) && given.length < 5 ? `[${given.map(show).join(", ")}]` : "[…]";
  if (typeof given === "number" && needed.length === 1) return `{ ${needed[0]}: ${given} }`;
  const meant =
    typeof given === "number" && needed.length === 0
      ? Number.isInteger(given)
        ? one(String(given), "length", "offset")
        : one(String(given), "dropout")
      : typeof given === "boolean"
        ? one(String(given), "causal")
        : isNumberArray(given)
          ? one(list, "positions", "grid")
          : kindOf(given) === "Encoding"
            ? one("encoding", "encoding")
            : given instanceof Object && "dims" in given
              ? one("tensor", "positions", "mask", "bias", "out")
              : [];
  if (meant.length > 0) return meant.join(" or ");
  const names = needed.length > 0 ? needed : Object.keys(schema).slice(0, 3);
  return `{ ${names.join(", ")}${needed.length > 0 ? "" : ", …"} }`;
}

// Readers. The first three define the result for omitted options.

export const or =
  <T, const F>(read: Reader<T>, fallback: F): Reader<T | F> =>
  (value, name) =>
    value === undefined ? fallback : read(value, name);

export const maybe = <T>(read: Reader<T>): Reader<T | undefined> => or(read, undefined);

/** Returns the rule of a reader that accepts nothing else. */
function ruleOf(read: Reader<unknown>): string {
  try {
    read(undefined, "");
    return "";
  } catch (error) {
    return String((error as Error).message).replace(/^: (.*), got undefined.*$/, ", $1");
  }
}

export const must =
  <T>(read: Reader<T>): Reader<T> =>
  (value, name) => {
    if (value !== undefined) return read(value, name);
    throw invalid(name, `is missing${ruleOf(read)}`);
  };

/** Reads a value that is checked where it is used: tensors, encodings, classes. */
export const asIs: Reader<any> = (value) => value;

const objectLike = (what: string): Reader<any> =>
  maybe((value, name) => {
    if (value === null || typeof value !== "object") throw invalid(name, `must be ${what}, got ${show(value)}`);
    return value;
  });
/** Reads a tensor, whose properties the call checks. */
export const tensor = objectLike("a tensor { data, dims }");
export const list = objectLike("an array or a tensor { data, dims }");
export const anEncoding = objectLike("an encoding, which must come from create()");

const ofType =
  <T>(type: string, what: string): Reader<T> =>
  (value, name) => {
    if (typeof value !== type) throw invalid(name, `must be ${what}, got ${show(value)}`);
    return value as T;
  };

export const number = ofType<number>("number", "a number");
export const text = ofType<string>("string", "a string");
export const flag = or(ofType<boolean>("boolean", "true or false"), false);

export const count =
  (least = 0, most = 2147483647): Reader<number> =>
  (value, name) => {
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
      throw invalid(name, `must be a whole number from ${least} to ${most}, got ${show(value)}`);
    return value as number;
  };

/** Maximum number of axes of positions in the core. */
export const maxAxes = 4;

/** Reads the number of cells along each axis. */
export const sizes = maybe<readonly number[]>((value, name) => {
  if (!Array.isArray(value) || value.length < 1 || value.length > maxAxes || !value.every(isCount))
    throw invalid(name, `must be 1 to ${maxAxes} whole numbers, got ${show(value)}`);
  return [...value];
});

export const oneOf =
  <const T extends string>(...names: readonly T[]): Reader<T> =>
  (value, name) => {
    if (!names.includes(value as T)) throw invalid(name, `must be ${names.map(show).join(" or ")}, got ${show(value)}`);
    return value as T;
  };

export const nested =
  <S extends Schema>(schema: S): Reader<Read<S> & Nested<S>> =>
  (value, name) =>
    readUnknown(value, schema, name) as Read<S> & Nested<S>;

/** Returns readers of the same names that leave the checks to another call. */
export const asGiven = <S extends Schema>(schema: S): { [Name in keyof S]: Reader<any> } =>
  Object.fromEntries(Object.keys(schema).map((name) => [name, asIs])) as never;

/** Returns the error for an option that has no effect because of other options. */
export const withoutEffect = (name: string, why: string): Error => invalid(name, `without effect: ${why}`);

const layouts = oneOf("bhtd", "bthd");
export const layout = or<HeadLayout, HeadLayout>(
  (value, name) => (layouts(value, name) === "bhtd" ? HeadLayout.bhtd : HeadLayout.bthd),
  HeadLayout.bhtd,
);

const roles = oneOf("query", "key");
export const role = or<Role, Role>(
  (value, name) => (roles(value, name) === "query" ? Role.query : Role.key),
  Role.none,
);

// The parts of the library: their names, what each needs, and which calls are in which.
import { kindOf } from "../base/arrays.js";
import { firstCalls, type Operation } from "../base/calls.gen.js";
import { PosencError, invalid, show } from "../base/errors.js";
import type { LibraryPart } from "../base/types.js";

/** The parts with calls of the core; the others consist of JavaScript. */
export type WasmPart = keyof typeof firstCalls;
/** The files of a build in parts. */
export type PartFile = "base" | WasmPart;

export const wasmParts = Object.keys(firstCalls) as WasmPart[];
export const partNames: readonly LibraryPart[] = [...wasmParts, "config", "ids"];

export const isWasm = (part: LibraryPart): part is WasmPart => part in firstCalls;

/** Functions that parts share are in attention; resizing shares none. */
export const neededBy = (part: LibraryPart): LibraryPart[] =>
  isWasm(part) && part !== "attention" && part !== "resize" ? ["attention"] : [];

/** Returns the part that a call is in; undefined: the base. */
export const partOf = (operation: Operation): WasmPart | undefined =>
  wasmParts.findLast((part) => operation >= firstCalls[part]);

/** Returns the parts that a list of names asks for, each with what it needs. Throws `invalid-argument`. */
export function readParts(given: unknown): readonly LibraryPart[] {
  if (given === "all") return partNames;
  const names = kindOf(given) === "Array" ? (given as LibraryPart[]) : undefined;
  const wrong = names ? names.find((name) => !partNames.includes(name)) : given;
  if (!names || wrong !== undefined)
    throw invalid("parts", `must be "all" or a list of ${partNames.map(show).join(", ")}, got ${show(wrong)}`);
  return [...new Set(names.flatMap((name) => [...neededBy(name), name]))];
}

/** Where the JavaScript of each part comes from. */
export type CodeOf = { readonly [Part in LibraryPart]: () => object | Promise<object> };

export const notLoaded = (part: LibraryPart): PosencError =>
  new PosencError(
    "not-loaded",
    `${part} is not loaded: await pe.load("${part}"), or init({ parts: ["${part}"] })`,
    "parts",
  );

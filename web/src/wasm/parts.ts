// The parts of the core: which calls are in which, and how one that was loaded later joins the base.
import { kindOf } from "../base/arrays.js";
import { firstCalls, type Operation } from "../base/calls.gen.js";
import { PosencError, invalid, show } from "../base/errors.js";
import type { LibraryPart } from "../base/types.js";
import { baseSection, checksumSection } from "./checksum.js";
import { failed, sectionOf } from "./download.js";

/** The parts with calls of the core; the others consist of JavaScript. */
export type WasmPart = keyof typeof firstCalls;
/** The files of a build in parts. */
export type PartFile = "base" | WasmPart;

export const wasmParts = Object.keys(firstCalls) as WasmPart[];
export const partNames: readonly LibraryPart[] = [...wasmParts, "config", "ids"];

export const isWasm = (part: LibraryPart): part is WasmPart => part in firstCalls;

/** Functions that parts share are in attention. */
export const neededBy = (part: LibraryPart): LibraryPart[] =>
  isWasm(part) && part !== "attention" ? ["attention"] : [];

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

/** Whether a module is the base of a build in parts. */
export const isBase = (module: WebAssembly.Module): boolean => sectionOf(module, baseSection)?.byteLength === 0;

/** Links a part with its base: it puts its functions into the base's table. */
export async function attachPart(
  part: WebAssembly.Module,
  base: WebAssembly.Module,
  exports: WebAssembly.Exports,
): Promise<void> {
  const [wanted, actual] = [sectionOf(part, baseSection), sectionOf(base, checksumSection)];
  const isSame = wanted && actual && String(new Uint8Array(wanted)) === String(new Uint8Array(actual));
  if (!isSame) throw failed("source: a part of the library is of another version than its base");
  await WebAssembly.instantiate(part, { "": exports });
}

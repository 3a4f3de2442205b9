// How the options of a rewrite are read.
import { asIs, count, flag, maybe, nested, oneOf, sizes, type Reader } from "../base/options.js";
import type { RewriteOptions } from "./options.js";
import type { Resizing } from "./rewrite-table.js";

type Kind = "nearest" | "linear" | "bicubic";
const mode = oneOf("nearest", "linear", "bicubic");
const resizing: Reader<Resizing | undefined> = maybe((value, name) =>
  typeof value === "object"
    ? nested({ mode, alignCorners: flag })(value, name)
    : { mode: mode(value, name) as Kind, alignCorners: false },
);

type TablesChoice = Extract<RewriteOptions["tables"], (...all: never[]) => unknown>;
const inputs = oneOf("inputs");

export const rewriteOptions = {
  rotary: asIs,
  bias: asIs,
  length: maybe(count(1)),
  grid: sizes,
  resize: resizing,
  angles: maybe(oneOf("float32")),
  tables: maybe((value, name) => (typeof value === "function" ? (value as TablesChoice) : inputs(value, name))),
  attention: flag,
};

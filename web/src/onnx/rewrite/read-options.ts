// Reads the options of a rewrite.
import { invalid } from "../../base/errors.js";
import { count, flag, maybe, nested, oneOf, sizes, type Reader } from "../../base/options.js";
import type { RewriteOptions } from "../options.js";
import type { Resizing } from "./table.js";

type Kind = "nearest" | "linear" | "bicubic";
const mode = oneOf("nearest", "linear", "bicubic");
const resizing: Reader<Resizing | undefined> = maybe((value, name) =>
  typeof value === "object"
    ? nested({ mode, alignCorners: flag })(value, name)
    : { mode: mode(value, name) as Kind, alignCorners: false },
);

type TablesChoice = Extract<RewriteOptions["tables"], (...all: never[]) => unknown>;
const inputs = oneOf("inputs");
const choice =
  (what: string): Reader<any> =>
  (value, name) => {
    if (value === null) throw invalid(name, `must be ${what}, got null`);
    return value;
  };

export const rewriteOptions = {
  rotary: choice("a spec, an encoding, a config or a function"),
  bias: choice("a spec or a function"),
  length: maybe(count(1)),
  grid: sizes,
  resize: resizing,
  window: choice("a size, a config or a function"),
  remap: choice("a rule, a config or a function"),
  temperature: choice("a rule, a config or a function"),
  angles: maybe(oneOf("float32")),
  tables: maybe((value, name) => (typeof value === "function" ? (value as TablesChoice) : inputs(value, name))),
  attention: flag,
  partial: flag,
};

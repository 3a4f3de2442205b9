// Options of a rewrite that change nothing. Each is an error that lists the model's components.
import { PosencError } from "../../base/errors.js";
import type { PositionalComponent } from "../component.js";
import type { RewriteOptions } from "../options.js";

/** Options that name a change. */
export type ChangeOption =
  "rotary" | "bias" | "length" | "grid" | "resize" | "window" | "remap" | "temperature" | "angles" | "tables";
/** Options that name a change. */
export const changeNames: readonly ChangeOption[] = [
  "rotary",
  "bias",
  "grid",
  "length",
  "resize",
  "window",
  "remap",
  "temperature",
  "angles",
  "tables",
];

/** An option of a rewrite without effect. */
export interface UnusedOption {
  /** Name of the option. */
  readonly option: ChangeOption;
  /** The reason, and the positions that the model has. */
  readonly reason: string;
}

/** Formats a component: "a rotation (frequencies, dim 64)". */
function inWords({ family, form, heads, rows, dim, changeable }: PositionalComponent): string {
  const facts = [
    form,
    heads !== undefined && `${heads} heads`,
    rows !== undefined && `${rows} rows`,
    dim !== undefined && `dim ${dim}`,
  ];
  const fixed = changeable === false ? ", which cannot be changed" : "";
  return `${family === "rotary" ? "rotation" : family} (${facts.filter(Boolean).join(", ")})${fixed}`;
}

/** Lists components; equal ones once, and only a few. */
function listOf(components: readonly PositionalComponent[]): string {
  if (components.length === 0) return "no positions were found in this model";
  const all = [...new Set(components.map(inWords))];
  const most = 4;
  const more = all.length > most ? `, and ${all.length - most} more` : "";
  return `this model has ${all.slice(0, most).join(", ")}${more}`;
}

const has = (components: readonly PositionalComponent[], family: string, form?: string): boolean =>
  components.some(
    (component) =>
      component.changeable !== false && component.family === family && (form === undefined || component.form === form),
  );

/** Returns what an option needs that the model does not have. */
function needOf(option: ChangeOption, options: RewriteOptions, components: readonly PositionalComponent[]): string {
  const isGathered = has(components, "table", "gathered");
  switch (option) {
    case "rotary":
      return options.tables && has(components, "rotary")
        ? "the tables of all rotations become inputs"
        : "needs a rotation";
    case "tables":
      return "needs a rotation";
    case "bias":
      return "needs a bias of the scores";
    case "grid":
      return "needs a table that is added to the patches of an image";
    case "length":
      if (has(components, "table", "added"))
        return "a table that is added at once has a fixed number of rows; `grid` changes it";
      if (isGathered && options.resize === undefined) return "learned tables keep their rows unless `resize` is given";
      if (has(components, "rotary", "frequencies")) return "rotations that are computed fit every length";
      return "needs a table or a bias with a row per position";
    case "resize":
      if (options.length === undefined && options.grid === undefined) return "needs `length` or `grid`";
      return "needs a learned table";
    case "window":
    case "temperature":
      return "needs layers with self-attention";
    case "remap":
      return "needs layers with rotated queries and keys";
    case "angles":
      return "needs positions that are computed in float16 or bfloat16";
  }
}

/** Returns the options of a rewrite that changed nothing. */
export function unusedOptions(
  options: RewriteOptions,
  used: ReadonlySet<ChangeOption>,
  components: readonly PositionalComponent[],
): UnusedOption[] {
  return changeNames.flatMap((option) => {
    if (options[option] === undefined || used.has(option)) return [];
    // With other changes, "float32" may be requested although the graph has that type already.
    if (option === "angles" && changeNames.some((other) => options[other] !== undefined && used.has(other))) return [];
    return [{ option, reason: `${needOf(option, options, components)}; ${listOf(components)}` }];
  });
}

/**
 * Returns the first option whose missing effect is an error. Programs set `length` with each new rotation: tables need it, and
 * rotations that are computed fit every length.
 */
export function firstError(
  { rotary, tables }: RewriteOptions,
  unused: readonly UnusedOption[],
): UnusedOption | undefined {
  const isWithRotation =
    (rotary ?? tables) !== undefined && !unused.some(({ option }) => /^(rotary|tables)$/.test(option));
  return unused.find(({ option }) => option !== "length" || !isWithRotation);
}

/** Throws `unsupported` for the first option whose missing effect is an error. */
export function rejectUnused(options: RewriteOptions, unused: readonly UnusedOption[]): void {
  const first = firstError(options, unused);
  if (first) throw new PosencError("unsupported", `${first.option}: ${first.reason}`, first.option);
}

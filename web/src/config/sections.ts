// The sections of M-RoPE: which axis rotates which pairs.
import { invalid, show } from "../base/errors.js";
import type { Json } from "../base/json.js";
import type { RotaryFacts } from "./model-types/row.js";
import { rotaryFacts } from "./model-types/table.js";
import * as read from "./read.js";
import { byRopeType } from "./rules/axes.js";

/** Records a field that neither the config nor the model type determines, and returns Llama's value. */
export type Assume = <T>(field: string, value: T) => T;

const severalAxes = ["mrope", "xdrope", ...Object.keys(byRopeType)];

/** Returns the fields of the spec that assign axes to pairs: `sections`, or `axisOfPair` if sections do not express them. */
export function sectionsOf(model: Json, rope: Json, rotaryDim: number, assume: Assume): Json {
  const facts: Partial<RotaryFacts> = rotaryFacts(read.modelType(model)) ?? {};
  const named = severalAxes.find((name) => name === rope["rope_type"] || name === rope["type"]);
  const ofRopeType = read.lookUp(byRopeType, named ?? "");
  const axesOf = facts.axes ?? ofRopeType?.axes;
  const fallback = facts.sections ?? ofRopeType?.sections;
  const given = rope["mrope_section"] ?? rope["xdrope_section"] ?? (axesOf && model["mrope_section"]) ?? undefined;
  if (given === undefined && fallback === undefined) {
    if (named || facts.needsSections) throw read.missing(`${named === "xdrope" ? named : "mrope"}_section`, model);
    return {};
  }
  const pairs = Math.floor(rotaryDim / 2);
  const axisOfPair = axesOf?.(numbers(given ?? fitted(fallback!, false, pairs)), rope);
  if (axisOfPair && axisOfPair.length !== pairs)
    throw invalid(
      "mrope_section",
      `must sum to the ${pairs} rotated pairs, got [${String(given).replaceAll(",", ", ")}]`,
    );
  if (axisOfPair) return { axisOfPair };
  const woven =
    facts.interleavedSections ?? read.flag(rope, "mrope_interleaved") ?? assume("interleavedSections", false);
  const sections = numbers(given ?? fitted(fallback!, woven, pairs));
  return { sections, ...(woven ? { interleavedSections: true } : {}) };
}

function numbers(sections: unknown): readonly number[] {
  if (Array.isArray(sections) && sections.every((part) => typeof part === "number")) return sections as number[];
  throw invalid("mrope_section", `must be a list of numbers, got ${show(sections)}`);
}

/** Default sections for this number of pairs: alternating axes end with the pairs, others must fill them. */
function fitted(sections: readonly number[], woven: boolean, pairs: number): readonly number[] {
  const [, height, width] = sections as [number, number, number];
  const [rows, columns] = [Math.min(height, Math.floor((pairs + 1) / 3)), Math.min(width, Math.floor(pairs / 3))];
  if (woven) return [pairs - rows - columns, rows, columns];
  if (sections.reduce((sum, part) => sum + part, 0) === pairs) return sections;
  const got = `the default [${sections.join(", ")}] does not fit ${pairs} pairs`;
  throw invalid("mrope_section", `is missing from the config, and ${got}`);
}

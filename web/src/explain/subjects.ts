// The arguments of explain() and compare(): encodings, specs, or configs of Hugging Face.
import { kindOf } from "../base/arrays.js";
import { maybe, number, readOptions } from "../base/options.js";
import type { Spec } from "../base/specs.gen.js";
import {
  checkUsed,
  configOptions,
  readingOf,
  type ConfigOptions,
  type ReadConfigOptions,
  type Used,
} from "../config/config.js";
import type { ConfigReading } from "../config/reading.js";
import { createEncoding } from "../encodings/create.js";
import { Encoding } from "../encodings/encoding.js";
import type { Core } from "../wasm/core.js";
import { compare, type Comparison } from "./compare.js";
import { explain } from "./explain.js";
import type { ExplainOptions, Explanation } from "./explanation.js";

const explainOptions = { ...configOptions, contextLength: maybe(number) };

/** See `explain` in web/src/explain.ts. */
export function explainSubject(core: Core, subject: object, options: ExplainOptions & ConfigOptions = {}): Explanation {
  const { contextLength, ...how } = readOptions(options, explainOptions);
  return borrowed(core, [subject], ([encoding]) => explain(core, encoding!, contextLength), how, "never");
}

/** See `compare` in web/src/explain.ts. */
export function compareSubjects(core: Core, a: object, b: object, options: ConfigOptions = {}): Comparison {
  const how = readOptions(options, configOptions);
  return borrowed(core, [a, b], ([left, right]) => compare(left!, right!), how);
}

/**
 * Returns the spec of a subject, with other facts about it. Encodings of another entry of the package are read like
 * specs, as their classes differ.
 */
function readSubject(
  subject: unknown,
  options: ReadConfigOptions,
  used: Used,
): Partial<ConfigReading> & Pick<ConfigReading, "spec"> & { parameters?: Encoding<any>["parameters"] } {
  if (kindOf(subject) === "Encoding") {
    const { spec, assumed, ignored, parameters } = subject as Encoding;
    return { spec: spec as Spec, assumed, ignored, parameters };
  }
  const isSpec = subject !== null && typeof subject === "object" && "kind" in subject;
  return isSpec ? { spec: subject as Spec } : readingOf(subject, options, used);
}

/** Calls `work` with encodings. Those that are created here from specs and configs are disposed after the call. */
function borrowed<T>(
  core: Core,
  subjects: unknown[],
  work: (encodings: Encoding<any>[]) => T,
  options: ReadConfigOptions,
  drawn: "now" | "never" = "now",
): T {
  const made: Encoding<any>[] = [];
  const used = { layerType: false, pairing: false };
  try {
    const encodings = subjects.map((subject) => {
      if (subject instanceof Encoding) return subject;
      const { spec, parameters = {}, ...notes } = readSubject(subject, options, used);
      const encoding = createEncoding(core, spec, drawn);
      made.push(encoding);
      if (Object.keys(parameters).length > 0) encoding.load(parameters);
      return Object.assign(encoding, notes);
    });
    checkUsed(options, used);
    return work(encodings);
  } finally {
    for (const encoding of made) encoding.dispose();
  }
}

// Creates an encoding from its spec.
import { familyOf, isKind, learnedOf, specialCallsOf } from "../base/kinds.js";
import type { Kind, KindsWith, Spec } from "../base/specs.gen.js";
import type { Core } from "../wasm/core.js";
import { baseClasses, type Classes, type EncodingClass } from "./classes.js";
import { bitsOf, createHandle, filled, type Beginning } from "./encoding.js";
import type { AnyEncoding } from "./kinds.js";
import { withMeaning } from "./meant.js";

function classOf(core: Core, kind: Kind): EncodingClass {
  const [call] = specialCallsOf(kind) as readonly (keyof KindsWith)[];
  const of = familyOf(kind);
  const { family, special }: Classes =
    of === "relative" ? core.parts.use<{ classes: Classes }>(of).classes : baseClasses[of];
  return (call && special[call]) ?? family;
}

/** Whether the object of a spec can be created before its parameters have values. */
const isIndependent = (kind: Kind): boolean => kind === "learned" || familyOf(kind) === "relative";

/**
 * See `Posenc.create`. Learned values that the spec does not give are initialized now, when they are first read, or
 * never. After "never" their values must not be read. Kinds that need values have them at once.
 */
export function createEncoding(core: Core, spec: Spec, drawn: "now" | "when-read" | "never" = "now"): AnyEncoding {
  const kind: unknown = spec?.kind;
  const Class = isKind(kind) ? classOf(core, kind) : undefined;
  const learned = isKind(kind) ? learnedOf(kind) : [];
  const [parameters, fields] = split(spec, (name) => learned.includes(name));
  // Given parameters need no random initial values.
  const given = bitsOf(
    learned,
    learned.filter((name) => isGiven(parameters, name)),
  );
  const shapesAlone = drawn !== "now" && given === 0 && learned.length > 0 && isIndependent(kind as Kind);
  // Throws for unknown kinds.
  const handle = handleOf(core, fields, { given, shapesAlone });
  return filled(new Class!(core, handle, fields), (encoding) => {
    if (shapesAlone && drawn === "when-read") encoding.fillWhenRead(fields);
    if (Object.keys(parameters).length > 0) encoding.load(parameters as never);
  }) as AnyEncoding;
}

/** Creates the core's object. An error about an unknown field names the field of other libraries that may be meant. */
function handleOf(core: Core, spec: object, beginning: Beginning): number {
  try {
    return createHandle(core, spec, beginning);
  } catch (error) {
    throw withMeaning(error, spec);
  }
}

const isGiven = (parameters: object, name: string): boolean =>
  (parameters as Record<string, unknown>)[name] !== undefined;

/** The entries whose names `isFirst` accepts, and the others. */
function split(object: object, isFirst: (name: string) => boolean): [object, object] {
  if (object === null || typeof object !== "object" || Array.isArray(object)) return [{}, object];
  const entries = Object.entries(object);
  const part = (first: boolean): object => Object.fromEntries(entries.filter(([name]) => isFirst(name) === first));
  return [part(true), part(false)];
}

// Creates an encoding from its spec.
import { PosencError } from "../base/errors.js";
import { familyOf, isKind, learnedOf, specialCallsOf } from "../base/kinds.js";
import type { Family, Kind, KindsWith, Spec } from "../base/specs.gen.js";
import type { Core } from "../wasm/core.js";
import { bitsOf, createHandle, filled, type Beginning, type Encoding } from "./encoding.js";
import type { AnyEncoding } from "./kinds.js";
import { withMeaning } from "./meant.js";

type EncodingClass = new (core: Core, handle: number, spec: object) => Encoding<any>;

/** The classes of an entry: by family, and for kinds with special methods. */
export interface Classes {
  families: Partial<Record<Family, EncodingClass>>;
  special: Partial<Record<keyof KindsWith, EncodingClass>>;
}

function classOf(kind: Kind, { families, special }: Classes): EncodingClass {
  const [call] = specialCallsOf(kind) as readonly (keyof KindsWith)[];
  const family = families[familyOf(kind)];
  if (family) return (call && special[call]) ?? family;
  throw new PosencError(
    "unsupported",
    `kind: ${kind} is part of attention: import from posenc, not posenc/core`,
    "kind",
  );
}

/** Whether the object of a spec can be created before its parameters have values. */
const isIndependent = (kind: Kind): boolean => kind === "learned" || familyOf(kind) === "relative";

/**
 * See `Posenc.create`. Learned values that the spec does not give are initialized now, when they are first read, or
 * never. After "never" their values must not be read. Kinds that need values have them at once.
 */
export function createEncoding(
  core: Core,
  spec: Spec,
  classes: Classes,
  drawn: "now" | "when-read" | "never" = "now",
): AnyEncoding {
  const kind: unknown = spec?.kind;
  const Class = isKind(kind) ? classOf(kind, classes) : undefined;
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

// From a spec to its encoding.
import { familyOf, isKind, learnedOf, specialCallsOf } from "../base/kinds.js";
import type { Family, Kind, KindsWith, Spec } from "../base/specs.gen.js";
import type { Core } from "../wasm/core.js";
import { BiasEncoding } from "./bias.js";
import { AlibiBias, BucketBias, WindowBias } from "./biases.js";
import { Encoding, createHandle, filled } from "./encoding.js";
import type { AnyEncoding, SpecialClasses } from "./kinds.js";
import { RelativeEncoding } from "./relative.js";
import { BucketRelative, ContextRelative, PolarRelative } from "./relatives.js";
import { RotaryEncoding } from "./rotary.js";
import { TableEncoding } from "./table.js";
import { LearnedTable, SinusoidalTable } from "./tables.js";

const families = { table: TableEncoding, rotary: RotaryEncoding, bias: BiasEncoding, relative: RelativeEncoding };

const special = {
  shift: SinusoidalTable,
  weights: LearnedTable,
  slopes: AlibiBias,
  buckets: BucketBias,
  resize: WindowBias,
  bucketOf: BucketRelative,
  contextPositions: ContextRelative,
  expand: PolarRelative,
} satisfies { [Call in keyof KindsWith]: new (...args: any) => SpecialClasses<Spec>[Call] };

/** That of what the kind has beside, or its family's. */
function classOf(kind: Kind): new (core: Core, handle: number, spec: object) => Encoding {
  const [call] = specialCallsOf(kind) as readonly (keyof KindsWith)[];
  return call ? special[call] : families[familyOf(kind)];
}

export const familyNames = Object.keys(families) as Family[];

/** See `Posenc.create`. */
export function createEncoding(core: Core, spec: Spec): AnyEncoding {
  const learned = isKind(spec?.kind) ? learnedOf(spec.kind) : [];
  const [parameters, fields] = split(spec, (name) => learned.includes(name));
  const handle = createHandle(core, fields);
  const made: Encoding = new (classOf(spec.kind))(core, handle, fields);
  return filled(made, (encoding) => {
    if (Object.keys(parameters).length > 0) encoding.load(parameters as never);
  }) as AnyEncoding;
}

/** The entries whose names `isFirst` accepts, and the others. */
function split(object: object, isFirst: (name: string) => boolean): [object, object] {
  if (object === null || typeof object !== "object" || Array.isArray(object)) return [{}, object];
  const entries = Object.entries(object);
  const part = (first: boolean): object => Object.fromEntries(entries.filter(([name]) => isFirst(name) === first));
  return [part(true), part(false)];
}

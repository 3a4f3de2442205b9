// From a spec to its encoding.
import { familyOf, isKind, learnedOf } from "../base/kinds.js";
import type { Family, Spec } from "../base/specs.gen.js";
import type { Core } from "../wasm/core.js";
import { BiasEncoding } from "./bias.js";
import { Encoding, createHandle, filled } from "./encoding.js";
import type { AnyEncoding } from "./kinds.js";
import { RelativeEncoding } from "./relative.js";
import { RotaryEncoding } from "./rotary.js";
import { TableEncoding } from "./table.js";

const families = { table: TableEncoding, rotary: RotaryEncoding, bias: BiasEncoding, relative: RelativeEncoding };

export const familyNames = Object.keys(families) as Family[];

/** See `Posenc.create`. */
export function createEncoding(core: Core, spec: Spec): AnyEncoding {
  const learned = isKind(spec?.kind) ? learnedOf(spec.kind) : [];
  const [parameters, fields] = split(spec, (name) => learned.includes(name));
  const handle = createHandle(core, fields);
  const made: Encoding = new families[familyOf(spec.kind)](core, handle, fields);
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

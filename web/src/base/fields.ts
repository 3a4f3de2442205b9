// The fields of each kind, as `describe` returns them.
import type { KindDescription } from "./description.js";
import { fields as facts } from "./fields.gen.js";
import { kinds } from "./kinds.gen.js";
import type { Kind } from "./specs.gen.js";

/** All families. */
export const families = [...new Set(Object.values(kinds).map(([family]) => family))];

/** See `Posenc.describe`. */
export const describeKinds = (): KindDescription[] =>
  Object.entries(kinds).map(([kind, [family, defaults, learned, calls]]) => ({
    kind: kind as Kind,
    family,
    fields: facts[kind as Kind].map(([name, type, required, min, max, choices]) => {
      const field = { name, type, required: required === 1, default: defaults[name]!, min, max };
      return choices ? { ...field, choices: [...choices] } : field;
    }),
    parameters: learned.map((name) => ({ name })),
    calls: [...calls],
  }));

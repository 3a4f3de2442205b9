// The kinds of encodings, with the core's facts about them.
import type { KindDescription } from "./description.js";
import { kinds } from "./kinds.gen.js";
import type { Family, Kind } from "./specs.gen.js";

export const isKind = (kind: unknown): kind is Kind => Object.hasOwn(kinds, kind as string);

export const kindNames = (): string[] => Object.keys(kinds);

export const familyOf = (kind: Kind): Family => kinds[kind][0];

/** Names of the learned parameters, in the core's order. */
export const learnedOf = (kind: Kind): readonly string[] => kinds[kind][2];

/** Methods that the class of the kind has and the class of the family does not. */
export const specialCallsOf = (kind: Kind): readonly string[] => kinds[kind][3];

export const defaultsOf = (kind: Kind): Record<string, unknown> =>
  Object.fromEntries(kinds[kind][1].map(([name, , , standard]) => [name, standard]));

/** See `Posenc.describe`. */
export const describeKinds = (): KindDescription[] =>
  Object.entries(kinds).map(([kind, [family, fields, learned, calls]]) => ({
    kind: kind as Kind,
    family,
    fields: fields.map(([name, type, required, standard, min, max, choices]) => {
      const field = { name, type, required: required === 1, default: standard, min, max };
      return choices ? { ...field, choices: [...choices] } : field;
    }),
    parameters: learned.map((name) => ({ name })),
    calls: [...calls],
  }));

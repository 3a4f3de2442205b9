// The kinds of encodings, with the core's facts about them.
import { kinds } from "./kinds.gen.js";
import type { Family, Kind } from "./specs.gen.js";

export const isKind = (kind: unknown): kind is Kind => Object.hasOwn(kinds, kind as string);

export const kindNames = (): string[] => Object.keys(kinds);

export const familyOf = (kind: Kind): Family => kinds[kind][0];

/** Names of the learned parameters, in the core's order. */
export const learnedOf = (kind: Kind): readonly string[] => kinds[kind][2];

/** Methods that the class of the kind has and the class of the family does not. */
export const specialCallsOf = (kind: Kind): readonly string[] => kinds[kind][3];

/** The default of each field; null if there is none. */
export const defaultsOf = (kind: Kind): Record<string, unknown> => kinds[kind][1];

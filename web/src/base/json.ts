// What was parsed from JSON, as far as it is known before anybody has looked at it.

export type Json = Record<string, unknown>;

/** Returns the value if it is an object, otherwise undefined. */
export const asObject = (value: unknown): Json | undefined =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Json) : undefined;

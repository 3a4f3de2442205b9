// Parsed JSON whose fields have not been checked.

export type Json = Record<string, unknown>;

/** Returns the value if it is an object, otherwise undefined. */
export const asObject = (value: unknown): Json | undefined =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Json) : undefined;

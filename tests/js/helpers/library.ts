// The library under test, and one valid spec of every kind it lists.
import { init } from "posenc";
import { describe } from "posenc/explain";
import type { BiasEncoding, Description, RelativeEncoding, RotaryEncoding, TableEncoding } from "posenc";

export const pe = await init();
export type Library = typeof pe;
export type Spec = { kind: string; [field: string]: unknown };

export const descriptions: Description[] = describe();
export const ofFamily = (family: string): Description[] => descriptions.filter((entry) => entry.family === family);

/** The required fields at their examples, everything else left to its default. */
export function exampleSpec(description: Description, changes: Record<string, unknown> = {}): Spec {
  const required = description.fields.filter((field) => field.required);
  return {
    kind: description.kind,
    ...Object.fromEntries(required.map((field) => [field.name, field.example])),
    ...changes,
  };
}

// `create` picks its result type by the literal kind; the tests go over kinds as data.
const create = pe.create.bind(pe) as (spec: unknown) => unknown;
export const createAny = (spec: unknown) => create(spec);
export const createTable = (spec: unknown) => create(spec) as TableEncoding;
export const createRotary = (spec: unknown) => create(spec) as RotaryEncoding;
export const createBias = (spec: unknown) => create(spec) as BiasEncoding;
export const createRelative = (spec: unknown) => create(spec) as RelativeEncoding;

/** Asks for something the types forbid, to see the run-time error. */
export const loosely = (value: unknown): any => value;

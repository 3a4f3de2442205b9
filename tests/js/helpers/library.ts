// The library under test, and one valid spec of every kind it lists.
import { init } from "posenc";
import { describe } from "posenc/explain";
import type {
  AlibiBias,
  BiasEncoding,
  BiasedRelative,
  BucketRelative,
  ContextRelative,
  Description,
  GatedRelative,
  GatedRowRelative,
  StateRelative,
  LearnedTable,
  PolarRelative,
  RotaryEncoding,
  SinusoidalTable,
  Spec as AnySpec,
  TableEncoding,
  TransformRelative,
  WindowBias,
} from "posenc";

export const pe = await init();
// In browsers it comes in parts.
await pe.load("all");
export type Library = typeof pe;
export type Spec = { kind: string; [field: string]: unknown };

export const descriptions: Description[] = describe();
export const ofFamily = (family: string): Description[] => descriptions.filter((entry) => entry.family === family);

/** The required fields at their examples, everything else left to its default. */
export function exampleSpec(description: Description, changes: Record<string, unknown> = {}): Spec {
  const required = description.fields.filter((field) => field.required);
  const inText = description.family === "relative" && description.fields.some(({ name }) => name === "axes");
  return {
    kind: description.kind,
    // As all others stand.
    ...(inText && { axes: 1 }),
    ...Object.fromEntries(required.map((field) => [field.name, field.example])),
    ...changes,
  };
}

// What any kind of a family has: kinds are asked for what they lack, too.
type With<Family, Special> = Family & Omit<Special, keyof Family>;
export type AnyTable = With<With<TableEncoding, LearnedTable>, SinusoidalTable>;
export type AnyBias = With<With<BiasEncoding, WindowBias>, AlibiBias>;
export type AnyRelative = With<
  With<With<With<With<ContextRelative<AnySpec>, BucketRelative>, PolarRelative>, GatedRelative>, BiasedRelative>,
  With<With<GatedRowRelative, StateRelative>, TransformRelative>
>;

// `create` picks its result type by the literal kind; the tests go over kinds as data.
const create = pe.create.bind(pe) as (spec: unknown) => unknown;
export const createAny = (spec: unknown) => create(spec);
export const createTable = (spec: unknown) => create(spec) as AnyTable;
export const createRotary = (spec: unknown) => create(spec) as RotaryEncoding;
export const createBias = (spec: unknown) => create(spec) as AnyBias;
export const createRelative = (spec: unknown) => create(spec) as AnyRelative;

/** Asks for something the types forbid, to see the run-time error. */
export const loosely = (value: unknown): any => value;

// What a page and its worker send to each other.
import type { Source, Variant } from "../base/types.js";
import type { ErrorCode } from "../base/errors.js";
import type { PartFile } from "../wasm/parts.js";

/** Keys that mark values which are not plain data. */
export const marks = { object: "posenc:object", tensor: "posenc:tensor", given: "posenc:given" } as const;

/** The first message: where the builds are, and what to start. */
export interface Start {
  type: "start";
  id: number;
  addresses: Partial<Record<PartFile | "simd" | "scalar" | "threads", string>>;
  options: { source?: Source; variant?: "auto" | Variant; threads?: number; parts?: unknown };
}

/** A call of a method, a property to read or to assign. */
export interface Request {
  type: "call" | "get" | "assign";
  id: number;
  /** The object's number. */
  object: number;
  name: string;
  /** Encoded arguments; for "assign" the value. */
  args: readonly unknown[];
}

export interface Abort {
  type: "abort";
  id: number;
}

/** An object is no longer used. `sent`: how often its number had arrived; the worker may have sent it once more. */
export interface Free {
  type: "free";
  object: number;
  sent: number;
}

export type ToWorker = Start | Request | Abort | Free;

/** The public members of a class. */
export interface Shape {
  name: string;
  methods: readonly string[];
  properties: readonly string[];
}

/** An error as plain data. */
export interface ErrorFacts {
  name: string;
  message: string;
  code?: ErrorCode;
  field?: string | undefined;
  stack?: string | undefined;
}

export type FromWorker =
  | { type: "result"; id: number; value: unknown }
  | { type: "error"; id: number; error: ErrorFacts }
  | { type: "progress"; id: number; done: number; total: number };

/** An object that stays in the worker. Its shape comes with the first object of the class. */
export interface ObjectMark {
  [marks.object]: number;
  shape: string;
  members?: Shape;
}

/** A tensor argument: the `index`-th one of the call. */
export interface TensorMark {
  [marks.tensor]: number;
  type?: unknown;
  dims: unknown;
  data?: unknown;
  location?: unknown;
}

/** A result that is one of the call's tensors, and its new data. */
export interface GivenMark {
  [marks.given]: number;
  type?: unknown;
  dims: unknown;
  data: ArrayBufferView;
}

const hasMark = (value: unknown, mark: string): boolean =>
  typeof value === "object" && value !== null && Object.hasOwn(value, mark);
export const isObjectMark = (value: unknown): value is ObjectMark => hasMark(value, marks.object);
export const isTensorMark = (value: unknown): value is TensorMark => hasMark(value, marks.tensor);
export const isGivenMark = (value: unknown): value is GivenMark => hasMark(value, marks.given);

/** Returns a list or a plain object with each part replaced; other values as they are. */
export function withParts(value: unknown, replaced: (part: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((part, i) => replaced(part, `[${i}]`));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaced(part, name)]));
}

/** Whether a value is an object without a class, whose properties are sent one by one. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of another window's objects has no prototype either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

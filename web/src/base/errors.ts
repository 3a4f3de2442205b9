// The one error class. The core's messages are written in C++; only what C++ cannot see (JavaScript types, lifetimes,
// downloads) is worded here and in the modules that meet it.

/** The kinds of errors. */
export type ErrorCode =
  | "invalid-spec"
  | "invalid-argument"
  | "shape-mismatch"
  | "out-of-range"
  | "out-of-memory"
  | "disposed"
  | "unsupported"
  | "load-failed";

/** Every error that the library throws. `field` names the spec field or argument at fault, where there is one. */
export class PosencError extends Error {
  /** "PosencError". */
  override readonly name = "PosencError";
  /** What kind of error it is. */
  readonly code: ErrorCode;
  /** The spec field or the argument at fault; undefined where there is none. */
  readonly field: string | undefined;

  constructor(code: ErrorCode, message: string, field?: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.field = field || undefined;
  }

  /** Each entry point of the package, and each window or vm, has its own copy of this class; to callers they are one. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object.prototype.toString.call(value) === "[object Error]" && (value as Error).name === "PosencError";
  }
}

export const invalid = (field: string, what: string): PosencError =>
  new PosencError("invalid-argument", `${field}: ${what}`, field);

/** What `work` answers; undefined where the library says that it cannot be asked that. Lack of memory stays an error. */
export function whereSupported<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof PosencError && error.code !== "out-of-memory") return undefined;
    throw error;
  }
}

/** Is it a whole number that a dimension or a count can be? */
export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2147483647;

/** A value as an error message shows it. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === "function") return `the function ${value.name || "(without a name)"}`;
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return "an array";
  const name = value.constructor?.name ?? "an object";
  return name === "Promise" ? "a Promise (await it)" : name;
}

// The error class. The core's messages are written in C++; TypeScript has only those for what C++ cannot detect
// (JavaScript types, lifetimes, downloads).

/** The codes of errors. */
export type ErrorCode =
  | "invalid-spec"
  | "invalid-argument"
  | "shape-mismatch"
  | "out-of-range"
  | "out-of-memory"
  | "disposed"
  | "unsupported"
  | "load-failed"
  | "not-loaded";

/** The class of every error that the library throws. */
export class PosencError extends Error {
  /** Always "PosencError". */
  override readonly name = "PosencError";
  /** The kind of error. */
  readonly code: ErrorCode;
  /** Name of the invalid spec field or argument; undefined if the error is about none. */
  readonly field: string | undefined;

  constructor(code: ErrorCode, message: string, field?: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.field = field || undefined;
  }

  /**
   * Returns true for an error of any copy of this class.
   *
   * Each entry point of the package has its own copy, and so does each window or vm.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object.prototype.toString.call(value) === "[object Error]" && (value as Error).name === "PosencError";
  }
}

export const invalid = (field: string, what: string): PosencError =>
  new PosencError("invalid-argument", `${field}: ${what}`, field);

/** Returns the result of `work`, or undefined if it throws a `PosencError` other than `out-of-memory`. */
export function whereSupported<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof PosencError && error.code !== "out-of-memory") return undefined;
    throw error;
  }
}

/** Whether the value is a whole number that a dimension or a count can be. */
export const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2147483647;

/** Formats a value for an error message. */
export function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === "function") return `the function ${value.name || "(without a name)"}`;
  if (typeof value === "bigint") return `a bigint ${value}n`;
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return "an array";
  const name = value.constructor?.name ?? "an object";
  return name === "Promise" ? "a Promise (await it)" : name;
}

// Checks the family of an encoding, for calls that accept only one family.
import { PosencError, invalid, show } from "../base/errors.js";
import type { Encoding } from "./encoding.js";

/** Throws for an encoding of another family, and for values that are not encodings. */
export function checkFamily(encoding: unknown, family: string, caller: string): void {
  const { family: actual, kind, dispose } = (encoding ?? {}) as Partial<Encoding>;
  if (actual === undefined || typeof dispose !== "function")
    throw invalid("encoding", `must be made by pe.create or fromConfig, got ${show(encoding)}`);
  if (actual !== family)
    throw new PosencError("unsupported", `${caller}: takes the ${family} family, ${kind} is ${actual}`, "encoding");
}

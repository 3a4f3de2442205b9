// Errors about a config, apart from those of memory, of the instance or of a damaged build.
import { PosencError } from "../base/errors.js";

const codes: readonly string[] = ["invalid-argument", "invalid-spec", "unsupported"];

/** Whether an error means that a config or header describes no encoding. All other errors must reach the caller. */
export const isAboutConfig = (error: unknown): error is PosencError =>
  error instanceof PosencError && codes.includes(error.code);

// Options that no call of the core checks.
import { invalid } from "../base/errors.js";

/** Throws invalid-argument for any that is left over. Not readOptions, whose parts would become those of posenc/ids, too. */
export function refuseUnknown(left: object, known: string): void {
  for (const name of Object.keys(left)) throw invalid(name, `unknown option; known are ${known}`);
}

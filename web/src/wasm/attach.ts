// How a part that was loaded later joins the base.
import { baseSection, checksumSection } from "./checksum.js";
import { failed, sectionOf } from "./download.js";

/** Whether a module is the base of a build in parts. */
export const isBase = (module: WebAssembly.Module): boolean => sectionOf(module, baseSection)?.byteLength === 0;

/** Links a part with its base: it puts its functions into the base's table. */
export async function attachPart(
  part: WebAssembly.Module,
  base: WebAssembly.Module,
  exports: WebAssembly.Exports,
): Promise<void> {
  const [wanted, actual] = [sectionOf(part, baseSection), sectionOf(base, checksumSection)];
  const isSame = wanted && actual && String(new Uint8Array(wanted)) === String(new Uint8Array(actual));
  if (!isSame) throw failed("source: a part of the library is of another version than its base");
  await WebAssembly.instantiate(part, { "": exports });
}

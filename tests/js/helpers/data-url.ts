import { decodeBase64 } from "../../golden/arrays.mjs";

/** The bytes of a file that vitest has inlined as a data: URL. Node's fetch would take seconds for all of them. */
export const bytesOfUrl = (url: string, name: string): Uint8Array<ArrayBuffer> =>
  decodeBase64(url.slice(url.indexOf(",") + 1), name);

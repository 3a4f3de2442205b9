import type { StoredArray } from "./cases.mjs";

/** `{shape, dtype, data_base64}` → `{dtype, dims, data}`; throws when the array is broken. */
export function decodeArray(stored: unknown, name: string): StoredArray;

/** The bytes of base64; throws, with this name, when it is none. */
export function decodeBase64(text: string, name: string): Uint8Array<ArrayBuffer>;

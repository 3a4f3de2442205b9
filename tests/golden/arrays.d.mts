import type { StoredArray } from "./cases.mjs";

/** `{shape, dtype, data_base64}` → `{dtype, dims, data}`; throws when the array is broken. */
export function decodeArray(stored: unknown, name: string): StoredArray;

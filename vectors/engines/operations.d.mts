import type { Engine } from "../javascript/runner.mjs";

/** The operations of an instance that has all parts. */
export function engineOf(pe: object): Engine;

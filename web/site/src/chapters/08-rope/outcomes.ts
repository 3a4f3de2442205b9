// One sentence through attention in all four ways.
import { attend, methods, type Method, type Outcome, type Setting } from "../../lib/attention.ts";
import type { Posenc } from "../../lib/engine.svelte.ts";

export function attendAll(pe: Posenc, words: string[], setting: Setting): Record<Method, Outcome> {
  const entries = methods.map((method) => [method, attend(pe, words, method, setting)] as const);
  return Object.fromEntries(entries) as Record<Method, Outcome>;
}

// How quick this machine is, in WebAssembly, one thread: what estimates of a run go by.
import type { Posenc } from "../lib/engine.svelte.ts";

const [heads, tokens, dim] = [4, 192, 64];

/** Multiplications and additions a second, of the library's attention: 40 million, some milliseconds. */
export function rateOf(pe: Posenc): number {
  const dims = [1, heads, tokens, dim];
  const x = { data: Float32Array.from({ length: heads * tokens * dim }, (_, index) => Math.sin(index)), dims };
  pe.attention(x, x, x, {});
  const start = performance.now();
  pe.attention(x, x, x, {});
  const seconds = Math.max(performance.now() - start, 0.1) / 1000;
  return (4 * heads * tokens * tokens * dim) / seconds;
}

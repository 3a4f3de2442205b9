// What is raced over: five pieces of work, each as the library does it and as plain JavaScript does.
import type { Posenc } from "../../lib/engine.svelte.ts";
import { attentionScratch, causalAttention } from "./opponent-attention.ts";
import {
  add,
  alibiLines,
  frequencies,
  makeTables,
  sinusoidalTable,
  spread,
  sumScratch,
  sumTables,
  turn,
} from "./opponent.ts";

export const sizeNames = ["usual", "small", "tiny"] as const;
export type SizeName = (typeof sizeNames)[number];
export const caseNames = ["rope", "tables", "sinusoidal", "alibi", "attention"] as const;
export type CaseName = (typeof caseNames)[number];
/** What a GPU has kernels for. Its code is loaded where there is one. */
const gpuCaseNames = ["rope", "tables", "sinusoidal", "alibi"] as const satisfies CaseName[];
export type GpuCaseName = (typeof gpuCaseNames)[number];
export const isForGpu = (name: CaseName): name is GpuCaseName => (gpuCaseNames as readonly CaseName[]).includes(name);

/** One way of doing the work. `first` does it once from the start and gives its numbers, for comparison. */
export interface Way {
  run(): void;
  first(): Float32Array[];
}

interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}
/** Makes a tensor of zeros, in the library's memory or as a plain array. */
export type Make = (dims: readonly number[]) => Tensor;

export interface Case {
  sizes: Record<SizeName, number[]>;
  /** The largest difference from the library's numbers that rounding explains. */
  tolerance: number;
  /** What one call amounts to: bytes read and written, numbers made, or operations. */
  rate: { unit: "GB/s" | "ns" | "GFLOP/s"; amount(size: number[]): number };
  /** What no way can beat: memory that is multiplied in place, memory that is filled, or arithmetic alone. */
  limit?: "multiply" | "fill" | "peak";
  plain(size: number[]): { plain: Way; sums?: Way };
  posenc(pe: Posenc, size: number[], make: Make, hold: <T extends { dispose(): void }>(held: T) => T): Way;
}

export const product = (dims: readonly number[]) => dims.reduce((total, dim) => total * dim, 1);

/** Numbers between −1 and 1, neither special nor periodic, the same for everyone. */
export function input(count: number, step: number): Float32Array {
  return Float32Array.from({ length: count }, (_, index) => Math.sin(index * step));
}

/** Asked for its numbers each time: the memory of the library may have grown, and moved, since. */
interface Held {
  readonly data: Float32Array;
}

/** Work in place: begins with the same numbers, and each run goes on with what the last one left. */
function inPlace(x: Held, step: number, run: () => void): Way {
  return {
    run,
    first() {
      x.data.set(input(x.data.length, step));
      run();
      return [x.data.slice()];
    },
  };
}

const making = (run: () => void, results: Held[]): Way => ({
  run,
  first() {
    run();
    return results.map(({ data }) => data.slice());
  },
});

const rope: Case = {
  sizes: { usual: [1, 32, 1024, 64], small: [1, 8, 512, 64], tiny: [1, 2, 64, 16] },
  tolerance: 1e-6,
  rate: { unit: "GB/s", amount: (size) => 8 * product(size) },
  limit: "multiply",
  plain(size) {
    const [, , positions, dim] = size;
    const x = new Float32Array(product(size));
    const [cos, sin] = [0, 1].map(() => new Float32Array((positions * dim) / 2));
    makeTables(cos, sin, frequencies(dim));
    return { plain: inPlace({ data: x }, 0.7, () => turn(x, cos, sin, dim)) };
  },
  posenc(pe, size, make, hold) {
    const encoding = hold(pe.create({ kind: "rope", dim: size[3] }));
    const x = make(size);
    return inPlace(x, 0.7, () => void encoding.apply(x));
  },
};

const tables: Case = {
  sizes: { usual: [4096, 128], small: [1024, 128], tiny: [64, 16] },
  tolerance: 1.2e-7,
  rate: { unit: "ns", amount: product },
  plain([positions, dim]) {
    const rates = frequencies(dim);
    const [cos, sin] = [0, 1].map(() => new Float32Array(positions * rates.length));
    const scratch = sumScratch(rates.length);
    return {
      plain: making(() => makeTables(cos, sin, rates), [{ data: cos }, { data: sin }]),
      sums: making(() => sumTables(cos, sin, rates, scratch), [{ data: cos }, { data: sin }]),
    };
  },
  posenc(pe, [length, dim], make, hold) {
    const encoding = hold(pe.create({ kind: "rope", dim }));
    const out = { cos: make([length, dim / 2]), sin: make([length, dim / 2]) };
    return making(() => void encoding.tables({ length, out }), [out.cos, out.sin]);
  },
};

const sinusoidal: Case = {
  sizes: { usual: [1, 1024, 768], small: [1, 512, 256], tiny: [1, 8, 16] },
  tolerance: 1e-6,
  rate: { unit: "GB/s", amount: (size) => 8 * product(size) },
  limit: "multiply",
  plain(size) {
    const x = new Float32Array(product(size));
    const table = sinusoidalTable(size[1], size[2]);
    return { plain: inPlace({ data: x }, 0.3, () => add(x, table)) };
  },
  posenc(pe, size, make, hold) {
    const encoding = hold(pe.create({ kind: "sinusoidal", dim: size[2] }));
    const x = make(size);
    return inPlace(x, 0.3, () => void encoding.addTo(x));
  },
};

const alibi: Case = {
  sizes: { usual: [16, 512, 512], small: [8, 256, 256], tiny: [2, 16, 16] },
  tolerance: 1e-6,
  rate: { unit: "GB/s", amount: (size) => 4 * product(size) },
  limit: "fill",
  plain(size) {
    const [heads, length] = size;
    const lines = alibiLines(heads, length);
    const out = new Float32Array(product(size));
    return { plain: making(() => spread(out, lines, heads, length), [{ data: out }]) };
  },
  posenc(pe, size, make, hold) {
    const [heads, queries, keys] = size;
    const encoding = hold(pe.create({ kind: "alibi", heads }));
    const out = make(size);
    return making(() => void encoding.bias({ queries, keys, out }), [out]);
  },
};

const steps = [0.7, 0.31, 0.57];

const attention: Case = {
  sizes: { usual: [4, 512, 64], small: [4, 256, 64], tiny: [2, 16, 16] },
  tolerance: 1e-5,
  // Two multiplications and two additions for each number of a query and a key that it sees.
  rate: { unit: "GFLOP/s", amount: ([heads, length, dim]) => 2 * heads * dim * length * (length + 1) },
  limit: "peak",
  plain(size) {
    const vectors = steps.map((step) => input(product(size), step));
    const out = new Float32Array(product(size));
    const scratch = attentionScratch(size[1], size[2]);
    return { plain: making(() => causalAttention(vectors, size, out, scratch), [{ data: out }]) };
  },
  posenc(pe, size, make) {
    const dims = [1, ...size];
    const [q, k, v] = steps.map((step) => {
      const tensor = make(dims);
      tensor.data.set(input(product(size), step));
      return tensor;
    });
    const out = make(dims);
    return making(() => void pe.attention(q, k, v, { causal: true, out }), [out]);
  },
};

export const cases: Record<CaseName, Case> = { rope, tables, sinusoidal, alibi, attention };

// Work of the race on the GPU: numbers stay there, and only what is compared comes back.
import type { Gpu } from "posenc/webgpu";
import type { Posenc } from "../../lib/engine.svelte.ts";
import { input, product, type GpuCaseName } from "./cases.ts";

/** A call, which returns before the GPU has done it, and the numbers of one that began anew. */
export interface GpuWay {
  run(): void;
  first(): Promise<Float32Array[]>;
}

type Held = ReturnType<Gpu["tensor"]>;

function inPlace(gpu: Gpu, size: number[], step: number, call: (x: Held) => void): GpuWay {
  const x = gpu.tensor(size);
  return {
    run: () => call(x),
    async first() {
      const fresh = gpu.tensor(input(product(size), step), size);
      call(fresh);
      const { data } = await gpu.read(fresh);
      fresh.dispose();
      return [data];
    },
  };
}

const making = (gpu: Gpu, run: () => void, results: Held[]): GpuWay => ({
  run,
  async first() {
    run();
    return Promise.all(results.map(async (result) => (await gpu.read(result)).data));
  },
});

export const gpuWays: Record<GpuCaseName, (gpu: Gpu, pe: Posenc, size: number[]) => GpuWay> = {
  rope(gpu, pe, size) {
    const encoding = pe.create({ kind: "rope", dim: size[3] });
    return inPlace(gpu, size, 0.7, (x) => void gpu.rotate(x, { encoding }));
  },
  tables(gpu, pe, [length, dim]) {
    const encoding = pe.create({ kind: "rope", dim });
    const out = { cos: gpu.tensor([length, dim / 2]), sin: gpu.tensor([length, dim / 2]) };
    return making(gpu, () => void gpu.tables(encoding, { length, out }), [out.cos, out.sin]);
  },
  sinusoidal(gpu, pe, size) {
    const encoding = pe.create({ kind: "sinusoidal", dim: size[2] });
    return inPlace(gpu, size, 0.3, (x) => void gpu.add(x, encoding));
  },
  alibi(gpu, pe, size) {
    const [heads, queries, keys] = size;
    const encoding = pe.create({ kind: "alibi", heads });
    const out = gpu.tensor(size);
    return making(gpu, () => void gpu.bias(encoding, { queries, keys, out }), [out]);
  },
};

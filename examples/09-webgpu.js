// A cache of keys on the GPU: turned there, cut to attention sinks and a window, and turned on to where the rest stands then.
// In a page with WebGPU nothing is downloaded but what is printed; elsewhere the same calls run through WebAssembly.
import { init } from "posenc";
import { webgpu } from "posenc/webgpu";

const pe = await init();
const gpu = await webgpu(pe, undefined, { fallback: "wasm" });
console.log("on the GPU:", gpu.onGpu);

const rope = pe.create({ kind: "rope", dim: 64, base: 500000 });
const dims = [1, 8, 32, 64];
const numbers = Float32Array.from({ length: 8 * 32 * 64 }, (_, i) => Math.sin(i * 12.9898));
const keys = gpu.tensor(numbers, dims);
gpu.rotate(keys, { encoding: rope });

// Four sinks stay where they are; the last eight come right behind them.
const cache = gpu.keep(keys, { sinks: 4, window: 8 });
const from = [...Array(4).keys(), ...Array.from({ length: 8 }, (_, i) => 24 + i)];
gpu.rerotate(cache, { encoding: rope, from, to: 0 });
console.log(cache.dims.join(" × "), "in the cache");

const fresh = gpu.keep(gpu.tensor(numbers, dims), { sinks: 4, window: 8 });
gpu.rotate(fresh, { encoding: rope });
const [moved, wanted] = [await gpu.read(cache), await gpu.read(fresh)];
const same = moved.data.every((x, i) => Math.abs(x - wanted.data[i]) < 2e-6);
console.log("as if they had always stood there:", same);
gpu.destroy();

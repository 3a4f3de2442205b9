// How long does one rotation take here, inside the library's memory and on an ordinary array?
import { init } from "posenc";

const position = 2500;

const pe = await init();
const rope = pe.create({ kind: "rope", dim: 64 });
const dims = [1, 32, 1024, 64];
const inside = pe.tensor(dims);
const outside = { data: new Float32Array(inside.data.length), dims };
for (let i = 0; i < outside.data.length; i++) outside.data[i] = inside.data[i] = Math.sin(i * 0.7);

// The median of several runs; the first one is not counted, as the engine still compiles.
function milliseconds(run) {
  run();
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[4];
}

const where = { offset: position };
console.error(
  "inside the library's memory:",
  milliseconds(() => rope.apply(inside, where)),
  "ms",
);
console.error(
  "an array, copied in and out:",
  milliseconds(() => rope.apply(outside, where)),
  "ms",
);

const same = inside.data.every((value, i) => value === outside.data[i]);
console.log("the same numbers, to the last bit:", same);
//> the same numbers, to the last bit: true
console.log("read and written by each call:", (2 * inside.data.byteLength) / 1e6, "MB");
//> read and written by each call: 16.777216 MB
inside.dispose();
console.log("bytes still held:", pe.liveBytes);
//> bytes still held: 0

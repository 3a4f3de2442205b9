// How long does a rotation take, in the library's memory and on an array?
import { init } from "posenc";

const position = 2500;

const pe = await init();
const rope = pe.create({ kind: "rope", dim: 64 });
const inside = pe.tensor([1, 32, 1024, 64]);
const outside = { data: new Float32Array(2 ** 21), dims: inside.dims };
for (let i = 0; i < outside.data.length; i++) {
  outside.data[i] = inside.data[i] = Math.sin(i * 0.7);
}

// The median of nine runs, after one that the engine still compiles in.
function milliseconds(x) {
  const times = Array.from({ length: 10 }, () => {
    const start = performance.now();
    rope.apply(x, { offset: position });
    return performance.now() - start;
  });
  return times.slice(1).sort((a, b) => a - b)[4];
}
console.error("ms inside the library's memory:", milliseconds(inside));
console.error("ms on an array, copied in and out:", milliseconds(outside));

const same = inside.data.every((value, i) => value === outside.data[i]);
console.log(same ? "the same numbers" : "other numbers");
//> the same numbers
const bytes = 2 * inside.data.byteLength;
console.log(bytes / 1e6, "MB read and written by each call");
//> 16.777216 MB read and written by each call
inside.dispose();
console.log(pe.liveBytes, "bytes still held");
//> 0 bytes still held

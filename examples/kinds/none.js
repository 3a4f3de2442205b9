// No positional encoding (NoPE), as an encoding: comparisons need no special case for it.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const words = pe.tensor(
  Float32Array.from({ length: 24 }, (_, i) => Math.sin(i * i)),
  [1, 1, 6, 4],
);
const swapped = pe.tensor(words.data.slice(), words.dims);
swapped.data.copyWithin(0, 4, 8);
swapped.data.set(words.data.subarray(0, 4), 4);

// What the last of six words sees, before and after the first two change places.
const [none, rope] = [pe.create({ kind: "none" }), pe.create({ kind: "rope", dim: 4 })];
for (const encoding of [none, rope, pe.create({ kind: "alibi", heads: 1 })]) {
  const [before, after] = [words, swapped].map((x) => pe.attention(x, x, x, { encoding }).data.slice(-4));
  const moved = Math.max(...before.map((value, i) => Math.abs(value - after[i])));
  console.log(encoding.kind.padEnd(5), moved < 1e-6 ? "sees no order" : `sees order: ${moved.toFixed(2)}`);
}

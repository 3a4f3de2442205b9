// RoPE-Mixed: pairs turn by both axes of an image at once, with frequencies that each head learns.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const mixed = pe.create({ kind: "rope-mixed", dim: 64, heads: 2, axes: 2, base: 100 });
const { dims } = mixed.parameters.frequencies;
console.log(`frequencies [${dims}]: axes, heads, pairs`);

// A class token, then 14 × 14 patches; the class token stays as it is.
const rows = { data: new Float32Array(2 * 197 * 64).fill(1), dims: [1, 2, 197, 64] };
mixed.apply(rows, { grid: [14, 14], prefix: 1 });
const show = (start) => Array.from(rows.data.subarray(start, start + 4), (x) => x.toFixed(3)).join(" ");
console.log("class token:", show(0));
console.log("first patch:", show(64));
console.log("its neighbour:", show(128));

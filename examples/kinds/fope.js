// FoPE: pairs turn by mixtures of waves; those that training never saw a whole wave of are left out.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
for (const length of [64, 512, 4096]) {
  const fope = pe.create({ kind: "fope", dim: 64, length });
  console.log(`trained on ${length}: mixes ${fope.frequencies.length} of 32 waves`);
}

const fope = pe.create({ kind: "fope", dim: 64, heads: 2, length: 512, gain: 0.3 });
console.log("coefficients", `[${fope.parameters.cosine.dims}]: heads, waves, pairs`);
// A mixture is no rotation: rows are as long as its waves happen to add up to.
const x = { data: new Float32Array(2 * 3 * 64).fill(0.125), dims: [1, 2, 3, 64] };
fope.apply(x);
const lengths = [0, 1, 2].map((t) => Math.hypot(...x.data.subarray(t * 64, (t + 1) * 64)).toFixed(3));
console.log("lengths of one row at 0, 1, 2:", lengths.join(" "));

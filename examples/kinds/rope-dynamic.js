// Dynamic NTK: nothing changes up to the trained length; beyond, frequencies depend on the sequence length.
import { init } from "posenc";

const pe = await init();
const dynamic = pe.create({ kind: "rope-dynamic", dim: 128, factor: 2, originalLength: 2048 });
for (const length of [2048, 4096, 8192]) {
  const [slowest] = dynamic.frequenciesAt(length).slice(-1);
  console.log(
    `${length} positions: the slowest pair makes one turn in ${Math.round((2 * Math.PI) / slowest)} positions`,
  );
}

// Keys cached in a sequence of 2048 positions are rotated as in one of 4096.
const keys = { data: new Float32Array(2048 * 128).fill(1), dims: [1, 1, 2048, 128] };
dynamic.apply(keys, { sequenceLength: 2048 });
dynamic.rerotate(keys, { from: dynamic, to: dynamic, fromSequenceLength: 2048, sequenceLength: 4096 });
const last = keys.data.slice(-128);
console.log("last key, slow pair:", last[63].toFixed(4), last[127].toFixed(4));

// NTK-aware scaling: a larger base. Neighbours stay as far apart as they were, the far end is stretched.
import { init } from "posenc";

const pe = await init();
const ntk = pe.create({ kind: "rope-ntk", dim: 128, factor: 4 });
const plain = pe.create({ kind: "rope", dim: 128 });
const slower = plain.inverseFrequencies.map((frequency, pair) => frequency / ntk.inverseFrequencies[pair]);
for (const pair of [0, 21, 42, 63]) console.log(`pair ${pair} turns ${slower[pair].toFixed(3)} times slower`);

// Qwen's dynamic NTK: the base grows in steps, so that keys are turned anew once in each, not with each token.
import { init } from "posenc";

const pe = await init();
const rope = pe.create({ kind: "rope-qwen", dim: 128, originalLength: 2048 });
for (const length of [2048, 2049, 4096, 4097]) {
  const [slowest] = rope.frequenciesAt(length).slice(-1);
  console.log(`${length} positions: the slowest pair turns once in ${Math.round((2 * Math.PI) / slowest)}`);
}

// Queries beyond the trained length are scaled by its logarithm, too.
const random = () => ({ data: Float32Array.from({ length: 4096 * 128 }, Math.random), dims: [1, 1, 4096, 128] });
const [q, k] = [random(), random()];
const last = { data: q.data.slice(-128), dims: [1, 1, 1, 128] };
const options = { encoding: rope, causal: true };
const plain = pe.attentionWeights(last, k, options);
const scaled = pe.attentionWeights(last, k, { ...options, temperature: { rule: "log-n", length: 2048 } });
for (const { data } of [plain, scaled]) console.log("largest weight of the last query:", Math.max(...data).toFixed(5));

// Qwen's dynamic NTK: the base grows in steps, so keys are rotated again at each step, not with each token.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const rope = pe.create({ kind: "rope-qwen", dim: 128, originalLength: 2048 });
for (const length of [2048, 2049, 4096, 4097]) {
  const [slowest] = rope.frequenciesAt(length).slice(-1);
  console.log(
    `${length} positions: the slowest pair makes one turn in ${Math.round((2 * Math.PI) / slowest)} positions`,
  );
}

// Queries beyond the trained length are scaled by its logarithm, too.
const tokens = (seed) => ({
  data: Float32Array.from({ length: 4096 * 128 }, (_, i) => Math.sin((i + seed) ** 2)),
  dims: [1, 1, 4096, 128],
});
const [q, k] = [tokens(1), tokens(2)];
const last = { data: q.data.slice(-128), dims: [1, 1, 1, 128] };
const options = { encoding: rope, causal: true };
const plain = pe.attentionWeights(last, k, options);
const scaled = pe.attentionWeights(last, k, { ...options, temperature: { rule: "log-n", length: 2048 } });
for (const { data } of [plain, scaled]) console.log("largest weight of the last query:", Math.max(...data).toFixed(5));

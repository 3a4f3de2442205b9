// Axial RoPE: some pairs turn by the row of a patch, others by its column. Each model arranges that in its own way.
import { init } from "posenc";

const pe = await init();
const models = {
  "Qwen2-VL vision": pe.create({ kind: "rope-axial", dim: 80 }),
  Pixtral: pe.create({ kind: "rope-axial", dim: 64, form: "strided" }),
  DINOv3: pe.create({ kind: "rope-axial", dim: 64, base: 100, coordinates: "centres", scale: 2 * Math.PI }),
  "SAM 2": pe.create({ kind: "rope-axial", dim: 64, axisOrder: [1, 0], pairing: "interleaved" }),
  "Gemma 4 vision": pe.create({ kind: "rope-axial", dim: 64, base: 100, separateAxes: true }),
};
for (const [name, encoding] of Object.entries(models)) {
  const q = { data: new Float32Array(24 * encoding.dim).fill(1), dims: [1, 1, 24, encoding.dim] };
  encoding.apply(q, { grid: [4, 6] });
  console.log(name, encoding.pairs, "pairs; the last patch begins with", q.data[23 * encoding.dim].toFixed(4));
}

// Llama 4 counts from 1: its class token stands at 0, position -1 here, and keeps what it has.
const llama = pe.create({ kind: "rope-axial", dim: 64, axisOrder: [1, 0], start: 1, pairing: "interleaved" });
const diagonal = [0, 1, -1];
const { sin } = llama.tables({ positions: [diagonal, diagonal] });
console.log("class token turns:", sin.data.slice(-32).some(Boolean));

// Axial RoPE: some pairs turn by the row of a patch, others by its column. Each model arranges that in its own way.
import { init } from "posenc";

const pe = await init();
const models = {
  "Qwen2-VL vision": { dim: 80 },
  Pixtral: { dim: 64, form: "strided" },
  DINOv3: { dim: 64, base: 100, coordinates: "centres", scale: 2 * Math.PI },
  "SAM 2": { dim: 64, axisOrder: [1, 0], pairing: "interleaved" },
  "Gemma 4 vision": { dim: 64, base: 100, separateAxes: true },
  FLUX: { dim: 128, axes: 3, axisDims: [16, 56, 56], pairing: "interleaved" },
};
for (const [name, fields] of Object.entries(models)) {
  const encoding = pe.create({ kind: "rope-axial", ...fields });
  const q = { data: new Float32Array(24 * encoding.dim).fill(1), dims: [1, 1, 24, encoding.dim] };
  encoding.apply(q, { grid: encoding.axes === 2 ? [4, 6] : [1, 4, 6] });
  console.log(name, encoding.pairs, "pairs; feature 0 of the last patch:", q.data.at(-encoding.dim).toFixed(4));
}

// Llama 4 counts from 1, so that its class token can stand at 0 and stay as it is: position -1 here.
const llama = pe.create({ kind: "rope-axial", dim: 64, axisOrder: [1, 0], start: 1, pairing: "interleaved" });
const diagonal = [0, 1, -1];
const { cos } = llama.tables({ positions: [diagonal, diagonal] });
console.log(
  "class token stays:",
  cos.data.slice(-32).every((x) => x === 1),
);

// Swin V2: a small network of logarithms of the displacement, which has biases for larger windows, too.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
// In a checkpoint: cpb_mlp.0.weight [512, 2], cpb_mlp.0.bias [512], cpb_mlp.2.weight [heads, 512].
const trained = pe.create({ kind: "swin-v2", heads: 1, windowHeight: 2, windowWidth: 2, seed: 1 });
const larger = pe.create({
  kind: "swin-v2",
  heads: 1,
  windowHeight: 3,
  windowWidth: 3,
  pretrainedHeight: 2,
  pretrainedWidth: 2,
});
for (const [name, { data }] of Object.entries(trained.parameters)) larger.load({ [name]: data });
const few = (numbers) => [...numbers].map((bias) => bias.toFixed(3)).join(" ");
console.log("window of 2 × 2:", few(trained.bias({ queries: 1, keys: 4, offset: 0 }).data));
console.log("window of 3 × 3:", few(larger.bias({ queries: 1, keys: 9, offset: 0 }).data));

// Attention is the cosine of q and k, scaled: both of unit length, here of 4 features each.
const x = { data: new Float32Array(8 * 9 * 4).fill(0.5), dims: [8, 1, 9, 4] };
console.log("attention:", pe.attention(x, x, x, { encoding: larger, scale: 10 }).dims.join(" x "));

// Learned positions (BERT, GPT-2, ViT): a trained row for each place. An image of another size needs a resized table.
import { init } from "posenc";

const pe = await init({ parts: ["resize"] });
const gpt2 = pe.create({ kind: "learned", length: 1024, dim: 768, std: 0.02, seed: 1 });
const hidden = { data: new Float32Array(3 * 768), dims: [1, 3, 768] };
gpt2.addTo(hidden, { offset: 1021 });
console.log("the last three rows of", gpt2.weights.dims.join(" × "), "are used up");

// A class token and a grid of 2 × 2 patches, made into one of 3 × 3.
const weights = [9, 0, 1, 2, 3];
const vit = pe.create({ kind: "learned", length: 5, dim: 1, weights });
const larger = vit.resize({ grid: [3, 3], prefix: 1, mode: "bilinear" });
console.log("class token", larger.weights.data[0]);
for (const row of [0, 1, 2]) console.log(Array.from(larger.weights.data.slice(1 + 3 * row, 4 + 3 * row)).join(" "));

// LieRE: blocks of features turn in all of their planes, by generators that are learned for each axis.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
// The model's images have 3 × 3 patches, which span 0 to 1 along each axis.
const liere = pe.create({ kind: "liere", dim: 8, blockDim: 4, axes: 2, modelGrid: [3, 3] });
console.log("generators", `[${liere.parameters.generators.dims}]: axes, blocks, features, features`);

const rows = (count) => ({ data: new Float32Array(count * 8).fill(0.5), dims: [1, 1, count, 8] });
const show = (x, t) => [0, 1, 2, 3].map((i) => x.data[t * 8 + i].toFixed(3)).join(" ");
const image = liere.apply(rows(10), { grid: [3, 3], prefix: 1 });
console.log("class token:", show(image, 0));
console.log("last patch:", show(image, 9));
// Rotations keep lengths, and undo themselves.
console.log("back again:", show(liere.apply(image, { grid: [3, 3], prefix: 1, inverse: true }), 9));

// Sinusoids of images: half of the features tell the row, half the column. MAE's arrangement, with its class token.
import { init } from "posenc";

const pe = await init();
const mae = pe.create({ kind: "sinusoidal-2d", dim: 8, pairing: "concat", axisOrder: "xy" });
const patches = { data: new Float32Array(5 * 8), dims: [1, 5, 8] };
mae.addTo(patches, { grid: [2, 2], prefix: 1 });
const show = (data) => [...data].map((x) => x.toFixed(2)).join(" ");
console.log("class token:", show(patches.data.slice(0, 8)));
console.log("patch (1, 1):", show(patches.data.slice(32)));

// DETR: positions as shares of the image, so that its size does not matter.
const fields = { start: 1, normalize: true, scale: 2 * Math.PI };
const detr = pe.create({ kind: "sinusoidal-2d", dim: 8, ...fields });
for (const size of [4, 100]) console.log(`last of ${size}:`, show(detr.table({ grid: [size, size] }).data.slice(-8)));

// Fourier features: waves of measured coordinates. Random frequencies for all (Segment Anything), or bands for each (NeRF).
import { init } from "posenc";

const pe = await init();
const sam = pe.create({ kind: "fourier", dim: 8, inputs: 2, coordinates: "centres", axisOrder: "xy", seed: 7 });
console.log("frequencies:", sam.parameters.frequencies.dims.join(" × "), "learned or loaded");
console.log("a grid of 4 × 5:", sam.table({ grid: [4, 5] }).dims.join(" × "));

// γ(x) = sin πx, cos πx, sin 2πx, cos 2πx, … after x itself.
const nerf = pe.create({ kind: "fourier", dim: 7, form: "geometric", pairing: "banded", includeInput: true });
const row = nerf.table({ positions: [0.25] }).data;
console.log(Array.from(row, (x) => x.toFixed(3)).join(" "));

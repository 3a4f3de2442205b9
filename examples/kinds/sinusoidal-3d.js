// Sinusoids of videos: a share of the features for the frame, the rest for column and row, as diffusers' CogVideoX has it.
import { init } from "posenc";

const pe = await init();
const dim = 16;
const shares = { dim, temporalDim: dim / 4 };
const video = pe.create({ kind: "sinusoidal-3d", ...shares, pairing: "concat", axisOrder: "txy" });
const table = video.table({ grid: [2, 3, 4] });
console.log(table.dims.join(" × "), "rows of 2 frames, 3 rows, 4 columns");
const show = (data) => [...data].map((x) => x.toFixed(2)).join(" ");
console.log("frame 1, row 2, column 3:", show(table.data.slice(-dim)));

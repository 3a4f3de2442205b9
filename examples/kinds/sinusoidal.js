// The Transformer's own: waves of many lengths, added to the hidden states. Any shift is a rotation of the row.
import { init } from "posenc";

const pe = await init();
const encoding = pe.create({ kind: "sinusoidal", dim: 6 });
const hidden = { data: new Float32Array(2 * 6), dims: [1, 2, 6] };
encoding.addTo(hidden);
console.log("position 1:", Array.from(hidden.data.slice(6), (x) => x.toFixed(3)).join(" "));

// The first pair of PE(10) from PE(7), by T₃.
const [a, b, c, d] = encoding.shift(3).data;
const [sine, cosine] = encoding.table({ positions: [7] }).data;
console.log("T₃ PE(7):  ", (a * sine + b * cosine).toFixed(4), (c * sine + d * cosine).toFixed(4));
console.log(
  "PE(10):    ",
  Array.from(encoding.table({ positions: [10] }).data.slice(0, 2), (x) => x.toFixed(4)).join(" "),
);

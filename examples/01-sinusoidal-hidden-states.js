// Adds sinusoidal positions to the hidden states of a batch, in place, with the dropout of a training step.
import { init } from "posenc";

const pe = await init();
const [batch, length, dim] = [2, 50, 512];
const sinusoidal = pe.create({ kind: "sinusoidal", dim });

const hidden = { data: new Float32Array(batch * length * dim).fill(2), dims: [batch, length, dim] };
sinusoidal.addTo(hidden);
console.log("position 1 starts with", Array.from(hidden.data.slice(dim, dim + 4), (x) => (x - 2).toFixed(4)).join(" "));

// A step of training drops a tenth of the elements; the seed makes it repeatable.
sinusoidal.addTo(hidden, { dropout: 0.1, seed: 7 });
const dropped = hidden.data.filter((x) => x === 0).length / hidden.data.length;
console.log(`dropped about ${(100 * dropped).toFixed(0)} %`);

// Moving by 3 positions is the same rotation wherever one starts: PE(m + 3) = T₃ PE(m).
const { data: rotation } = sinusoidal.shift(3);
const { data: table } = sinusoidal.table({ length: 8 });
const moved = rotation[0] * table[2 * dim] + rotation[1] * table[2 * dim + 1];
console.log("PE(2) moved by 3:", moved.toFixed(4), "PE(5):", table[5 * dim].toFixed(4));

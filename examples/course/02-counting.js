// How long is the step from a place to the next? Six ways to count.
import { init } from "posenc";

const length = 16;
const waves = 4;

const pe = await init({ parts: ["attention"] });

// The lengths of all steps, from |a - b|² = a·a + b·b - 2 a·b.
function steps(encoding) {
  const products = pe.similarity(encoding.table({ length })).data;
  const at = (row, column) => products[row * length + column];
  const square = (m) => at(m, m) + at(m + 1, m + 1) - 2 * at(m, m + 1);
  return Array.from({ length: length - 1 }, (_, m) => Math.sqrt(square(m)));
}

function show(make) {
  try {
    const encoding = make();
    const list = steps(encoding);
    console.log(encoding.kind, Math.min(...list).toFixed(3), "to", Math.max(...list).toFixed(3));
  } catch (error) {
    console.log(error.message);
  }
}

show(() => pe.create({ kind: "one-hot", dim: length }));
//> one-hot 1.414 to 1.414
show(() => pe.create({ kind: "integer" }));
//> integer 1.000 to 1.000
show(() => pe.create({ kind: "normalized" }));
//> normalized 0.067 to 0.067
show(() => pe.create({ kind: "binary", dim: waves }));
//> binary 1.000 to 2.000
show(() => pe.create({ kind: "periodic", dim: waves }));
//> periodic 1.068 to 1.298
show(() => pe.create({ kind: "sinusoidal", dim: 2 * waves }));
//> sinusoidal 0.964 to 0.964

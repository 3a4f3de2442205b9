// How long is the step from a place to the next? Six ways to count.
import { init } from "posenc";

const length = 16;
const waves = 4;

const pe = await init();

/** The lengths of all steps, from |a - b|² = a·a + b·b - 2 a·b. */
function steps(spec) {
  const table = pe.create(spec).table({ length });
  const products = pe.similarity(table).data;
  const at = (row, column) => products[row * length + column];
  const square = (m) => at(m, m) + at(m + 1, m + 1) - 2 * at(m, m + 1);
  return Array.from({ length: length - 1 }, (_, m) => Math.sqrt(square(m)));
}

function show(spec) {
  try {
    const list = steps(spec).sort((a, b) => a - b);
    console.log(spec.kind, list[0].toFixed(3), "to", list.at(-1).toFixed(3));
  } catch (error) {
    console.log(error.message);
  }
}

show({ kind: "one-hot", dim: length });
//> one-hot 1.414 to 1.414
show({ kind: "integer" });
//> integer 1.000 to 1.000
show({ kind: "normalized" });
//> normalized 0.067 to 0.067
show({ kind: "binary", dim: waves });
//> binary 1.000 to 2.000
show({ kind: "periodic", dim: waves });
//> periodic 1.068 to 1.298
show({ kind: "sinusoidal", dim: 2 * waves });
//> sinusoidal 0.964 to 0.964

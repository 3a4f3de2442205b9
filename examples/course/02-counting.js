// How long is one step? The distance between the vectors of neighbouring places, for six ways to count.
import { init } from "posenc";

const length = 16;
const waves = 4;

const pe = await init();

/** Distances between the rows of each two neighbours: |a - b|² = a·a + b·b - 2 a·b. */
function steps(spec) {
  const encoding = pe.create(spec);
  const products = pe.similarity(encoding.table({ length })).data;
  const at = (row, column) => products[row * length + column];
  return Array.from({ length: length - 1 }, (_, m) => Math.sqrt(at(m, m) + at(m + 1, m + 1) - 2 * at(m, m + 1)));
}

function show(spec) {
  const list = steps(spec);
  console.log(spec.kind.padEnd(10), Math.min(...list).toFixed(3), "to", Math.max(...list).toFixed(3));
}

show({ kind: "one-hot", dim: length });
//> one-hot    1.414 to 1.414
show({ kind: "integer" });
//> integer    1.000 to 1.000
show({ kind: "normalized" });
//> normalized 0.067 to 0.067
show({ kind: "binary", dim: waves });
//> binary     1.000 to 2.000
show({ kind: "periodic", dim: waves });
//> periodic   1.068 to 1.298
show({ kind: "sinusoidal", dim: 2 * waves });
//> sinusoidal 0.964 to 0.964

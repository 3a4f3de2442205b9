// Where the patches of an image stand: as a grid, as a line, between words.
import { init } from "posenc";

const rows = 12;
const columns = 12;
const dim = 64;

const pe = await init({ parts: ["attention", "ids", "resize"] });

// Similarity to the right, below, and of a row's end to the next row's start.
const compare = (encoding, places) => {
  const { data } = pe.similarity(encoding.table(places));
  const share = (a, b) => (data[a * rows * columns + b] / data[0]).toFixed(2);
  const around = share(columns - 1, columns);
  console.log(encoding.kind, share(0, 1), share(0, columns), around);
};
compare(pe.create({ kind: "sinusoidal-2d", dim }), { grid: [rows, columns] });
//> sinusoidal-2d 0.98 0.98 0.82
compare(pe.create({ kind: "sinusoidal", dim }), { length: rows * columns });
//> sinusoidal 0.97 0.67 0.97

// A learned table for one grid, made into one with twice the rows and columns.
const learned = pe.create({ kind: "learned", length: rows * columns, dim });
const from = [rows, columns];
const larger = learned.resize({ grid: [2 * rows, 2 * columns], from });
console.log(learned.weights.dims, "->", larger.weights.dims);
//> [ 144, 64 ] -> [ 576, 64 ]

// Two words, an image of 2 x 3 tokens, one word: time, height, width.
const sequence = [{ text: 2 }, { image: [1, 2, 3] }, { text: 1 }];
const { positions, next } = pe.mropePositionIds(sequence);
for (const axis of positions.axes) console.log(axis.join(" "));
//> 0 1 2 2 2 2 2 2 5
//> 0 1 2 2 2 3 3 3 5
//> 0 1 2 3 4 2 3 4 5
console.log("the next token stands at", next);
//> the next token stands at 6

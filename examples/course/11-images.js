// Where the patches of an image stand: a grid against a line, a resized table, and an image between words.
import { init } from "posenc";

const rows = 12;
const columns = 12;
const dim = 64;

const pe = await init();

// How similar two places are, as a share of the similarity of a place with itself.
const end = columns - 1;
const compare = (name, table) => {
  const { data } = pe.similarity(table);
  const share = (a, b) => (data[a * rows * columns + b] / data[0]).toFixed(2);
  console.log(`${name}: right ${share(0, 1)}, below ${share(0, columns)}, next row's start ${share(end, end + 1)}`);
};
compare("grid", pe.create({ kind: "sinusoidal-2d", dim }).table({ grid: [rows, columns] }));
//> grid: right 0.98, below 0.98, next row's start 0.82
compare("line", pe.create({ kind: "sinusoidal", dim }).table({ length: rows * columns }));
//> line: right 0.97, below 0.67, next row's start 0.97

// A learned table for one grid, made into one for twice as many rows and columns.
const learned = pe.create({ kind: "learned", length: rows * columns, dim });
const larger = learned.resize({ grid: [2 * rows, 2 * columns], from: [rows, columns], mode: "bicubic" });
console.log(learned.weights.dims.join(" x "), "->", larger.weights.dims.join(" x "));
//> 144 x 64 -> 576 x 64

// Two words, an image of 2 x 3 tokens, one word: time, height, width.
const { positions, next } = pe.mropePositionIds([{ text: 2 }, { image: [1, 2, 3] }, { text: 1 }]);
for (const axis of positions.axes) console.log(axis.join(" "));
//> 0 1 2 2 2 2 2 2 5
//> 0 1 2 2 2 3 3 3 5
//> 0 1 2 3 4 2 3 4 5
console.log("the next token stands at", next);
//> the next token stands at 6

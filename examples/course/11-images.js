// Where the patches of an image stand: as a grid, as a line, between words.
import { init } from "posenc";

const rows = 12;
const columns = 12;
const dim = 64;

const pe = await init();

// How similar two places are: 1 for a place and itself.
const end = columns - 1;
const compare = (name, table) => {
  const { data } = pe.similarity(table);
  const share = (a, b) => (data[a * rows * columns + b] / data[0]).toFixed(2);
  const near = `right ${share(0, 1)}, below ${share(0, columns)}`;
  console.log(`${name}: ${near}, next row's start ${share(end, end + 1)}`);
};
const grid = pe.create({ kind: "sinusoidal-2d", dim });
compare("grid", grid.table({ grid: [rows, columns] }));
//> grid: right 0.98, below 0.98, next row's start 0.82
const line = pe.create({ kind: "sinusoidal", dim });
compare("line", line.table({ length: rows * columns }));
//> line: right 0.97, below 0.67, next row's start 0.97

// A learned table for one grid, made into one for twice as many rows and columns.
const learned = pe.create({ kind: "learned", length: rows * columns, dim });
const from = [rows, columns];
const larger = learned.resize({ grid: [2 * rows, 2 * columns], from });
const size = (table) => table.weights.dims.join(" x ");
console.log(size(learned), "->", size(larger));
//> 144 x 64 -> 576 x 64

// Two words, an image of 2 x 3 tokens, one word: time, height, width.
const sequence = [{ text: 2 }, { image: [1, 2, 3] }, { text: 1 }];
const { positions, next } = pe.mropePositionIds(sequence);
for (const axis of positions.axes) console.log(axis.join(" "));
//> 0 1 2 2 2 2 2 2 5
//> 0 1 2 2 2 3 3 3 5
//> 0 1 2 3 4 2 3 4 5
console.log("the next token stands at", next);
//> the next token stands at 6

// One matrix moves all positions alike; dot products measure distances.
import { init } from "posenc";

const dim = 8;
const base = 100;
const start = 5;
const step = 3;

const pe = await init({ parts: ["attention"] });
const encoding = pe.create({ kind: "sinusoidal", dim, base });
const { data: turns } = encoding.shift(step); // the blocks of T_k, 2 by 2
const { data: table } = encoding.table({ positions: [start, start + step] });

// T_k PE(m): every block turns its own pair of numbers.
const moved = Array.from({ length: dim }, (_, row) => {
  const pair = row - (row % 2);
  return turns[2 * row] * table[pair] + turns[2 * row + 1] * table[pair + 1];
});
const print = (row) => [...row].map((value) => value.toFixed(3)).join(" ");
console.log("T_k PE(m) ", print(moved));
//> T_k PE(m)  0.989 -0.146 0.574 -0.819 0.717 0.697 0.250 0.968
console.log("PE(m + k) ", print(table.slice(dim)));
//> PE(m + k)  0.989 -0.146 0.574 -0.819 0.717 0.697 0.250 0.968

// The same distance, wherever and in either direction: the same product.
const positions = [start, start + step, 5000, 5000 + step, start - step];
const { data: products } = pe.similarity(encoding.table({ positions }));
const size = positions.length;
const product = (row, column) => products[row * size + column].toFixed(3);
console.log("dot products", product(0, 1), product(2, 3), product(0, 4));
//> dot products 1.544 1.544 1.544
console.log("and with itself", product(0, 0));
//> and with itself 4.000

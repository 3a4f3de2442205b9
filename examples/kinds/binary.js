// Binary digits: few features for many positions, but neighbours may differ in all of them.
import { init } from "posenc";

const pe = await init();
const encoding = pe.create({ kind: "binary", dim: 4 });
const rows = encoding.table({ positions: [3, 7, 8] });
for (const [i, m] of [3, 7, 8].entries()) console.log(`PE(${m}) =`, rows.data.slice(4 * i, 4 * i + 4).join(" "));
console.log("from 7 to 8 all four digits change");

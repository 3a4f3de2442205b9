// A ruler made of waves: the table, its waves, and one hand at two places.
import { init } from "posenc";
import { explain } from "posenc/explain";

const length = 96;
const dim = 128;
const base = 10000;
const start = 0;
const step = 3;

const pe = await init();
const encoding = pe.create({ kind: "sinusoidal", dim, base });

const table = encoding.table({ length });
console.log("table:", table.dims.join(" × "));
//> table: 96 × 128

const { wavelengths = [] } = explain(pe, encoding);
const slowest = Math.round(Math.max(...wavelengths));
console.log("wavelengths:", wavelengths[0].toFixed(2), "to", slowest);
//> wavelengths: 6.28 to 54410

const [cosine, sine] = encoding.shift(step).data;
const before = encoding.table({ positions: [start] }).data[0];
const after = encoding.table({ positions: [start + step] }).data[0];
console.log(`first sine at ${start}: ${before.toFixed(4)}`);
//> first sine at 0: 0.0000
console.log(`first sine at ${start + step}: ${after.toFixed(4)}`);
//> first sine at 3: 0.1411
const turn = Math.atan2(sine, cosine).toFixed(4);
console.log(`${step} steps turn its pair by ${turn} (up to whole turns)`);
//> 3 steps turn its pair by 3.0000 (up to whole turns)
encoding.dispose();

// Binary digits made smooth: sines, each half as fast as the one before.
import { init } from "posenc";
import { explain } from "posenc/explain";

const pe = await init();
const encoding = pe.create({ kind: "periodic", dim: 3 });
const table = encoding.table({ length: 5 });
for (let m = 0; m < 5; m++) {
  const row = Array.from(table.data.slice(3 * m, 3 * m + 3), (sine) => sine.toFixed(2));
  console.log(`PE(${m}) =`, row.join("  "));
}
console.log("periods:", explain(pe, encoding).wavelengths?.map(Math.round).join(", "));

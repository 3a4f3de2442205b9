// One-hot positions: exact and easy to read, but only as many as there are features, and all equally far apart.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const encoding = pe.create({ kind: "one-hot", dim: 5 });
const table = encoding.table({ length: 4 });
for (let m = 0; m < 4; m++) console.log(`PE(${m}) =`, table.data.slice(5 * m, 5 * m + 5).join(" "));
console.log("similarities of PE(1):", pe.similarity(table).data.slice(4, 8).join(" "));

try {
  encoding.table({ positions: [5] });
} catch (error) {
  console.log(error.message);
}

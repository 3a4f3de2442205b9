// Positions as a share of the sequence: bounded, but the same place moves when the text grows.
import { init } from "posenc";

const pe = await init();
const show = ({ data }) => [...data.slice(0, 5)].map((x) => x.toFixed(2)).join("  ");
const relative = pe.create({ kind: "normalized" });
console.log("in 5 positions: ", show(relative.table({ length: 5 })));
console.log("in 11 positions:", show(relative.table({ length: 11 })));

// A fixed length keeps places where they are.
const fixed = pe.create({ kind: "normalized", length: 101 });
console.log("of 101 positions:", show(fixed.table({ length: 5 })));

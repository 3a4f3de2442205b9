// PaTH: tokens between a key and the query reflect the query, each by a direction of its own.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const path = pe.create({ kind: "path", dim: 2 });
const rows = (...numbers) => ({ data: Float32Array.from(numbers), dims: [1, 1, numbers.length / 2, 2] });

// Four keys alike. The second token mirrors feature 0 (strength 2), the others do nothing.
const k = rows(1, 0, 1, 0, 1, 0, 1, 0);
const directions = rows(1, 0, 1, 0, 1, 0, 1, 0);
const strengths = { data: Float32Array.from([0, 2, 0, 0]), dims: [1, 1, 4] };
const scores = path.logits(rows(1, 0), k, { directions, strengths });
console.log("scores of the last query:", Array.from(scores.data, (x) => x.toFixed(1)).join(" "));

// Gates may forget besides.
const logGates = { data: new Float32Array(4).fill(-0.5), dims: [1, 1, 4] };
const fading = path.logits(rows(1, 0), k, { directions, strengths, logGates });
console.log("with gates:", Array.from(fading.data, (x) => x.toFixed(1)).join(" "));

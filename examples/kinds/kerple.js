// KERPLE: how fast a score falls with the distance is learned, for each head.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const log = pe.create({ kind: "kerple", heads: 2, amplitude: [1, 2], rate: [0.5, 0.05] });
const { data } = pe.distanceProfile(log, { maxDistance: 4 });
console.log("head 0:", Array.from(data.slice(0, 5), (b) => b.toFixed(3)).join(" "));
console.log("head 1:", Array.from(data.slice(5), (b) => b.toFixed(3)).join(" "));

// The weighted form also multiplies the scores: applyTo does both, in place.
const weighted = pe.create({ kind: "kerple", heads: 1, form: "weighted", amplitude: [0.1], exponent: [1] });
weighted.load({ weightRate: [0.5], weightExponent: [1] });
const scores = weighted.applyTo({ data: new Float32Array(5).fill(4), dims: [1, 1, 5] });
console.log("scores of 4:", Array.from(scores.data, (s) => s.toFixed(2)).join(" "));

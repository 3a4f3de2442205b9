// LongRoPE (Phi-3): each pair has its own divisor, one list for short sequences and another for long ones.
import { init } from "posenc";

const pe = await init();
const [shortFactor, longFactor] = [
  [1, 1.05, 1.2, 1.4],
  [1, 2.5, 14, 62],
];
const longrope = pe.create({
  kind: "rope-longrope",
  dim: 8,
  shortFactor,
  longFactor,
  originalLength: 4096,
  factor: 32,
});
console.log("4096 positions:", Array.from(longrope.frequenciesAt(4096), (x) => x.toExponential(2)).join(" "));
console.log("4097 positions:", Array.from(longrope.frequenciesAt(4097), (x) => x.toExponential(2)).join(" "));
console.log("attention factor:", longrope.attentionFactor.toFixed(4));

// Position interpolation (Vicuna 16k, factor 4): position 4 gets the angles that position 1 had in training.
import { init } from "posenc";
import { explain } from "posenc/explain";

const pe = await init();
const linear = pe.create({ kind: "rope-linear", dim: 128, factor: 4 });
const trained = pe.create({ kind: "rope", dim: 128 });
const angle = (encoding, position) => encoding.tables({ positions: [position] }).sin.data[0].toFixed(6);
console.log("sin of the first pair, position 4 interpolated:", angle(linear, 4));
console.log("sin of the first pair, position 1 in training: ", angle(trained, 1));
console.log(explain(pe, linear).summary);

// STRING: learned rotations that commute, so that scores see differences of places alone, on any number of axes.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const at = (x, y, z) => ({ positions: [[x], [y], [z]] });
const shape = { dim: 12, axes: 3, std: 0.5 };
for (const string of [
  pe.create({ kind: "string", form: "cayley", ...shape }),
  pe.create({ kind: "string", form: "circulant", ...shape }),
]) {
  const q = { data: Float32Array.from({ length: 12 }, (_, i) => Math.sin(i)), dims: [1, 1, 1, 12] };
  const score = (query, key) => string.logits(q, q, { ...key, queryAt: query }).data[0].toFixed(4);
  console.log(string.spec.form, Object.keys(string.parameters).join(" and "));
  console.log("  one apart:", score(at(1, 0, 0), at(0, 0, 0)));
  console.log("  the same elsewhere:", score(at(6, 2, 9), at(5, 2, 9)));
}

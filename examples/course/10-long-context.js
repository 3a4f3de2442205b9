// A longer text than trained: which pairs meet new angles, what each rule slows down, and float32 far out.
import { init } from "posenc";

const dim = 128;
const base = 10000;
const originalLength = 4096;
const factor = 8;

const pe = await init();
const plain = pe.create({ kind: "rope", dim, base });
const { turns } = pe.explain(plain, { contextLength: originalLength });
console.log(`${turns.filter((count) => count < 1).length} of ${turns.length} pairs never turned once in training`);
//> 18 of 64 pairs never turned once in training

for (const kind of ["rope-linear", "rope-ntk", "rope-yarn", "rope-llama3"]) {
  const trained = /linear|ntk/.test(kind) ? {} : { originalLength };
  const { pairs } = pe.explain({ kind, dim, base, factor, ...trained });
  console.log(`${kind}: ${pairs.map(({ first, last, change }) => `${first}-${last} ${change}`).join(", ")}`);
}
//> rope-linear: 0-63 slowed
//> rope-ntk: 0-0 unchanged, 1-62 blended, 63-63 slowed
//> rope-yarn: 0-20 unchanged, 21-45 blended, 46-63 slowed
//> rope-llama3: 0-35 unchanged, 36-45 blended, 46-63 slowed

// The same table twice, once by the float32 steps of PyTorch.
const rounded = pe.create({ kind: "rope", dim, base, precision: "float32" });
for (const positions of [[1000], [1000000]]) {
  const [exact, steps] = [plain, rounded].map((rope) => rope.tables({ positions }).cos.data);
  const worst = Math.max(...exact.map((cosine, pair) => Math.abs(cosine - steps[pair])));
  console.log(`position ${positions}: float32 is off by up to ${worst.toPrecision(2)}`);
}
//> position 1000: float32 is off by up to 0.000029
//> position 1000000: float32 is off by up to 0.029

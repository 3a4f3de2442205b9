// A longer text than trained: new angles, what rules slow down, float32.
import { init } from "posenc";
import { explain } from "posenc/explain";

const dim = 128;
const base = 10000;
const originalLength = 4096;
const factor = 8;

const pe = await init();
const plain = pe.create({ kind: "rope", dim, base });
const { rotations } = explain(pe, plain, { contextLength: originalLength });
const never = rotations?.filter((count) => count < 1).length;
console.log(`${never} of ${rotations?.length} pairs never came round in training`);
//> 18 of 64 pairs never came round in training
const rules = [
  pe.create({ kind: "rope-linear", dim, base, factor }),
  pe.create({ kind: "rope-ntk", dim, base, factor }),
  pe.create({ kind: "rope-yarn", dim, base, factor, originalLength }),
  pe.create({ kind: "rope-llama3", dim, base, factor, originalLength }),
];
const run = ({ first, last, change }) => `${first}-${last} ${change}`;
for (const rule of rules) {
  const { pairs } = explain(pe, rule);
  console.log(`${rule.kind}: ${pairs.map(run).join(", ")}`);
}
//> rope-linear: 0-63 slowed
//> rope-ntk: 0-0 unchanged, 1-62 blended, 63-63 slowed
//> rope-yarn: 0-20 unchanged, 21-45 blended, 46-63 slowed
//> rope-llama3: 0-35 unchanged, 36-45 blended, 46-63 slowed
// The same table twice, once by the float32 steps of PyTorch.
const rounded = pe.create({ kind: "rope", dim, base, precision: "float32" });
const at = { positions: [1000000] };
const [exact, steps] = [plain.tables(at).cos.data, rounded.tables(at).cos.data];
const errors = exact.map((cosine, pair) => Math.abs(cosine - steps[pair]));
const worst = Math.max(...errors).toPrecision(2);
console.log(`position ${at.positions}: float32 is off by up to ${worst}`);
//> position 1000000: float32 is off by up to 0.029

// ALiBi: what one head charges for distance, what it sees in a longer text.
import { init } from "posenc";
import { explain } from "posenc/explain";

const heads = 8;
const head = 8;
const length = 4096;

const pe = await init({ parts: ["attention"] });
const alibi = pe.create({ kind: "alibi", heads });
const slope = alibi.slopes[head - 1];
console.log(`head ${head} of ${heads}: a step back costs ${slope.toFixed(6)}`);
//> head 8 of 8: a step back costs 0.003906
const { reach } = explain(pe, alibi);
const [middle, far] = [reach?.halved[head - 1], reach?.nat[head - 1]];
console.log(`half the weight ${middle} keys back, 1/e ${far} keys back`);
//> half the weight 178 keys back, 1/e 256 keys back

// To one query all keys are equally good: where it looks is up to the bias.
const zeros = (count) => new Float32Array(heads * count);
const rows = (count) => ({ data: zeros(count), dims: [1, heads, count, 1] });
const lastThousand = (keys) => {
  const [query, all] = [rows(1), rows(keys)];
  const { data } = pe.attentionWeights(query, all, { encoding: alibi });
  const own = data.slice((head - 1) * keys, head * keys);
  return own.slice(-1024).reduce((sum, weight) => sum + weight);
};
const percent = (keys) => `${(100 * lastThousand(keys)).toFixed(1)} %`;
console.log(`weight of the last 1024 of ${length} keys: ${percent(length)}`);
//> weight of the last 1024 of 4096 keys: 98.2 %
// A longer text changes nothing.
const longer = 4 * length;
console.log(`weight of the last 1024 of ${longer} keys: ${percent(longer)}`);
//> weight of the last 1024 of 16384 keys: 98.2 %

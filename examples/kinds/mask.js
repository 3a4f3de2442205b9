// Mask: causal triangles and sliding windows as the additive mask that other runtimes take.
import { init } from "posenc";

const pe = await init();
const mask = pe.create({ kind: "mask", windowLeft: 2, hidden: -10000 });
const { data, dims } = mask.bias({ queries: 4, keys: 5 });
console.log("dims:", dims.join(" x "));
for (let query = 0; query < 4; query++) console.log(data.slice(5 * query, 5 * query + 5).join(" "));

// Padding comes on top, for any bias: one row of visible keys for each sequence.
const padding = { data: [0, 1, 1, 1, 1, 1], dims: [2, 3] };
console.log(
  "padded:",
  pe.create({ kind: "alibi", heads: 1 }).bias({ queries: 1, keys: 3, attentionMask: padding }).data.join(" "),
);

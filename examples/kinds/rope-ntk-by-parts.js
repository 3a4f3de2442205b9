// NTK by parts: pairs are treated by how often they turn within the trained context.
import { init } from "posenc";
import { explain } from "posenc/explain";

const pe = await init();
const scaled = pe.create({ kind: "rope-ntk-by-parts", dim: 128, factor: 4, originalLength: 2048 });
const { pairs, rotations = [] } = explain(pe, scaled);
for (const { first, last, change } of pairs)
  console.log(
    `pairs ${first} to ${last}: ${change}; ${rotations[first].toFixed(2)} to ${rotations[last].toFixed(2)} rotations`,
  );

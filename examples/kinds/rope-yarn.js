// YaRN (Qwen2.5 for 131072 positions): slow pairs are interpolated, and scores get sharper by the attention factor.
import { init } from "posenc";
import { explain } from "posenc/explain";

const pe = await init();
const yarn = pe.create({ kind: "rope-yarn", dim: 128, base: 1e6, factor: 4, originalLength: 32768 });
console.log("attention factor", yarn.attentionFactor.toFixed(4));

// cos and sin hold the factor already: at position 0 cos is not 1.
const { cos } = yarn.tables({ length: 1 });
console.log("cos at position 0:", cos.data[0].toFixed(4));
console.log(explain(pe, yarn).summary);

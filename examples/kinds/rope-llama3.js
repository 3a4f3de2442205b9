// Llama 3.1's scaling, straight from its config: which of the 64 pairs change, and by how much.
import { init } from "posenc";
import { explain } from "posenc/explain";

const pe = await init({ parts: ["config"] });
const rope_scaling = {
  ...{ rope_type: "llama3", factor: 8, low_freq_factor: 1, high_freq_factor: 4 },
  original_max_position_embeddings: 8192,
};
const config = { model_type: "llama", head_dim: 128, rope_theta: 500000, rope_scaling };
const rope = pe.fromConfig(config, { family: "rotary" });
console.log(rope.kind);
for (const { first, last, change, ratio } of explain(pe, rope).pairs)
  console.log(`pairs ${first} to ${last} are ${change}: × ${ratio.map((x) => x.toFixed(3)).join(" to ")}`);

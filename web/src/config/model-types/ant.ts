// Ant Group: Ling, Ming.
import * as axes from "../rules/axes.js";
import * as images from "../rules/images.js";
import * as schedules from "../rules/schedules.js";
import * as second from "../rules/second.js";
import type { ModelTypes } from "./row.js";

export const ant: ModelTypes = () => ({
  bailing_hybrid: {
    pairing: "interleaved",
    theta: 6e5,
    latentDim: 64,
    axes: axes.bailing,
    schedule: schedules.bailing,
  },
  bailing_moe_v2: { pairing: "half", theta: 1e4, share: 0.5 },
  bailing_moe_v3_vl: { text: "bailing_hybrid", vision: "qwen3_moe_vit", outerSections: [12, 10, 10] },
  bailingmm_moe_v2_lite: { text: "bailing_moe_v2", vision: "qwen3_moe_vit" },
  ming_flash_omni: { text: "bailingmm_moe_v2_lite" },
  qwen3_moe_vit: { rule: images.qwenVision, second: second.grid },
});

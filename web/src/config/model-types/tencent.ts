// Tencent: Hunyuan.
import type { ModelTypes } from "./row.js";

export const tencent: ModelTypes = () => ({
  hunyuan_v1_dense: { pairing: "half", theta: 1e4 },
  hunyuan_v1_moe: { pairing: "half", theta: 1e4 },
  hunyuan_vl: { text: "hunyuan_vl_text", vision: "hunyuan_vl_vision" },
  hunyuan_vl_text: { pairing: "half", theta: 1e4 },
  hunyuan_vl_vision: { reason: "are a learned grid that is resized" },
  hy_v3: { pairing: "half", theta: 11158840, headDim: 128 },
});

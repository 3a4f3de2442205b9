// Baidu: ERNIE, PaddleOCR, RT-DETR.
import * as axes from "../rules/axes.js";
import * as images from "../rules/images.js";
import { queryPositions } from "./shared.js";
import type { ModelTypes } from "./row.js";

export const baidu: ModelTypes = () => ({
  ernie4_5: { pairing: "interleaved", theta: 5e5, headDim: 128 },
  ernie4_5_moe: { pairing: "interleaved", theta: 5e5 },
  ernie4_5_vl_moe: { text: "ernie4_5_vl_moe_text", vision: "ernie4_5_vl_moe_vision" },
  ernie4_5_vl_moe_text: {
    pairing: "interleaved",
    theta: 5e5,
    sections: [22, 22, 20],
    axes: axes.ernie,
  },
  ernie4_5_vl_moe_vision: { rule: images.qwenVision },
  hgnet_v2: { layers: "none" },
  paddleocr_vl: { text: "paddleocr_vl_text", vision: "paddleocr_vl_vision" },
  paddleocr_vl_text: { pairing: "half", theta: 5e5, headDim: 128, needsSections: true },
  paddleocr_vl_vision: { rule: images.qwenVision },
  qianfan_ocr: { text: "qwen3", vision: "qianfan_ocr_vision" },
  rt_detr: { rule: images.sineGrid, counts: ["encoder_layers", "decoder_layers"], decoderNote: queryPositions },
  rt_detr_resnet: { layers: "none" },
  rt_detr_v2: { rule: images.sineGrid, counts: ["encoder_layers", "decoder_layers"], decoderNote: queryPositions },
});

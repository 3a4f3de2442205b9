// A config of every model type in the registry of transformers.js, and what its layers are by the model's own code
// (transformers v4.57 to v5: modeling_<type>.py; where a type is not there: the repository named beside it).
import { vision1 } from "./types/images";
import { media } from "./types/media";
import type { Case } from "./types/parts";
import { mixed, plain } from "./types/rotary";
import { hybrids, tables, translators } from "./types/texts";

/** Nothing in these knows positions. */
export const without =
  "convnext convnextv2 dac dinov3_convnext efficientnet glpn hifigan isnet mobilenet_v1 mobilenet_v2 mobilenet_v3 mobilenet_v4 mobilevit mobilevitv2 modnet pyannote resnet segformer wespeaker-resnet".split(
    " ",
  );
/** Their configs say nothing of layers: an error says so. */
export const typeOnly = "ben birefnet jina_clip metric3d metric3dv2 sapiens style_text_to_speech_2 supertonic".split(
  " ",
);

export const cases: Record<string, Case> = {
  ...{ ...plain, ...mixed, ...hybrids, ...tables, ...translators, ...vision1, ...media },
};

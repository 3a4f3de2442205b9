// Which chapter teaches which encodings. Chapters link to the API's pages of theirs, and these pages to the chapters.
import type { kinds } from "./kinds.gen.ts";
import type { ChapterName } from "./chapters.en.ts";

type Kind = keyof typeof kinds;

/** In the order in which a chapter comes to them; a chapter that is not here is about none in particular. */
export const taught: Partial<Record<ChapterName, Kind[]>> = {
  order: ["none"],
  counting: ["one-hot", "integer", "normalized", "binary", "periodic"],
  sinusoidal: ["sinusoidal"],
  rotation: ["sinusoidal"],
  adding: ["sinusoidal", "learned"],
  learned: ["learned"],
  relative: ["shaw", "nezha", "transformer-xl", "t5", "deberta"],
  rope: ["rope", "rope-proportional"],
  alibi: ["alibi", "kerple", "sandwich", "fire", "mask"],
  "long-context": [
    "rope-linear",
    "rope-ntk",
    "rope-ntk-by-parts",
    "rope-yarn",
    "rope-llama3",
    "rope-longrope",
    "rope-dynamic",
    "rope-qwen",
    "cope",
  ],
  images: ["sinusoidal-2d", "sinusoidal-3d", "rope-axial", "rope-mrope", "swin", "swin-v2"],
};

// Facts of model types of several makers.
import type { Json } from "../../base/json.js";

/** The rotation of each kind of layer. */
export const byLayer = (full: Json, sliding: Json) => ({
  rope: { full_attention: full, sliding_attention: sliding },
});

export const yarn = (factor: number, original: number, more: Json): Json => ({
  rope_type: "yarn",
  factor,
  original_max_position_embeddings: original,
  ...more,
});

export const llama3 = (factor: number, original: number, low: number, high: number) => ({
  rope: {
    rope_type: "llama3",
    factor,
    original_max_position_embeddings: original,
    low_freq_factor: low,
    high_freq_factor: high,
  },
});

export const qwen3VlSections = { sections: [24, 20, 20], interleavedSections: true };
export const qwen35Sections = { sections: [11, 11, 10], interleavedSections: true };

export const queryPositions = "queries' positions are learned or computed from boxes; keys have the encoder's";

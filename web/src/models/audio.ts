// Speech.
import { named } from "./model.js";
import { transformers } from "./sources.js";

export const audio = named({
  "wav2vec2-conformer-rope": {
    name: "wav2vec 2.0 Conformer with RoPE",
    family: "wav2vec",
    modality: "audio",
    year: 2020,
    source: "arXiv:2010.05171",
    config: {
      model_type: "wav2vec2-conformer",
      hidden_size: 1024,
      num_attention_heads: 16,
      position_embeddings_type: "rotary",
      rotary_embedding_base: 10000,
    },
    contextLength: null,
    unchecked: ["spec"],
  },
  "whisper-tiny": {
    name: "Whisper tiny, encoder",
    family: "Whisper",
    modality: "audio",
    year: 2022,
    source: "arXiv:2212.04356",
    config: { model_type: "whisper", d_model: 384, max_source_positions: 1500, max_target_positions: 448 },
    contextLength: 1500,
    checked: ["ggml-org/whisper.cpp:src/whisper.cpp"],
    unchecked: [],
    note: 'the decoder has a learned table of 448 rows: layerType "decoder"',
  },
  "whisper-large-v3": {
    name: "Whisper large v3, encoder",
    family: "Whisper",
    modality: "audio",
    year: 2022,
    source: "arXiv:2212.04356",
    config: { model_type: "whisper", d_model: 1280, max_source_positions: 1500, max_target_positions: 448 },
    contextLength: 1500,
    checked: ["ngclara07/CM3070-Final-Project:models/whisper-large-v3/config.json"],
    unchecked: [],
  },
  "w2v-bert-2.0": {
    name: "wav2vec2-BERT 2.0",
    family: "wav2vec",
    modality: "audio",
    year: 2023,
    source: "arXiv:2312.05187",
    config: {
      model_type: "wav2vec2-bert",
      hidden_size: 1024,
      num_attention_heads: 16,
      position_embeddings_type: "relative_key",
      left_max_position_embeddings: 64,
      right_max_position_embeddings: 8,
    },
    contextLength: null,
    checked: [transformers("wav2vec2_bert")],
    unchecked: [],
  },
});

// Models of sound of other makers.
import * as images from "../rules/images.js";
import * as second from "../rules/second.js";
import * as text from "../rules/text.js";
import { llama3 } from "./shared.js";
import type { ModelTypes } from "./row.js";

export const otherSound: ModelTypes = () => ({
  clap: { text: "clap_text_model", audio: "clap_audio_model" },
  clap_audio_model: { rule: images.swin("num_attention_heads") },
  clap_text_model: { rule: text.bert(text.learnedAfterPadding(1)) },
  clvp: { text: "clvp_encoder" },
  clvp_decoder: { pairing: "half", reason: "are learned rows for text and for speech" },
  clvp_encoder: { pairing: "half", reason: "are rotations of the values as well as of queries and keys" },
  csm: { pairing: "half", theta: 5e5 },
  csm_depth_decoder_model: { pairing: "half", theta: 5e5 },
  dac: { layers: "none" },
  dia: { text: "dia_decoder", audio: "dia_encoder" },
  dia_decoder: { pairing: "half", theta: 1e4, headDim: 128 },
  dia_encoder: { pairing: "half", theta: 1e4, headDim: 128 },
  hifigan: { layers: "none" },
  higgs_audio_v2: { pairing: "half", theta: 5e5, headDim: 128, ...llama3(32, 1024, 0.125, 0.5) },
  kyutai_speech_to_text: { pairing: "half" },
  mimi: { pairing: "half", theta: 1e4, counts: ["num_hidden_layers", "num_hidden_layers"] },
  moonshine: {
    pairing: "interleaved",
    theta: 1e4,
    share: 0.9,
    counts: ["encoder_num_hidden_layers", "decoder_num_hidden_layers"],
  },
  moonshine_streaming: { pairing: "interleaved", theta: 1e4, share: 0.8 },
  moonshine_streaming_encoder: { reason: "come from convolutions and a window for each layer" },
  moshi: { pairing: "half", theta: 1e4 },
  pyannote: { layers: "none" },
  sew: { reason: "come from a convolution" },
  snac: { reason: "are xPos in windows if the config has attn_window_size" },
  style_text_to_speech_2: { layers: "undescribed" },
  supertonic: { layers: "undescribed" },
  vits: {
    rule: text.vits,
    second: second.withNote("pad emb_rel_k and emb_rel_v with a row of zeros at both ends before loading"),
  },
  "wespeaker-resnet": { layers: "none" },
  xcodec2: { pairing: "half", theta: 1e4, headDim: 64 },
});

// What the code and the configuration class of each rotary model type fix, of Hugging Face transformers unless a comment
// names another source. Facts only: rope.ts applies them.
import type { Json } from "../base/json.js";
import { textTypeOf } from "./implied.js";
import { lookUp } from "./read.js";

export type Pairing = "half" | "interleaved" | "interleaved-to-half";

/** Facts that a rotary model type determines: its pairing, and defaults of fields that published configs omit. */
export interface RotaryFacts {
  readonly pairing: Pairing;
  /** The default base. Undefined: the config must name it, as the default differs between versions of Transformers. */
  readonly theta?: number;
  readonly headDim?: number;
  /** The default share of a head that rotates. */
  readonly share?: number;
  /** The default base of sliding_attention layers; `theta` is for full_attention layers. */
  readonly localTheta?: number;
  /** The default head dimension of full_attention layers. */
  readonly globalHeadDim?: number;
  /** The default number of rotated features. */
  readonly rotaryDim?: number;
  /** The default parameters of full_attention layers. */
  readonly globalRope?: Json;
  /** `rope_parameters` of configs that have neither these nor `rope_scaling`. */
  readonly rope?: Json;
  /** The default M-RoPE sections. */
  readonly sections?: readonly number[];
  /** The code reads M-RoPE's sections from the config and has no default. */
  readonly needsSections?: boolean;
  /** M-RoPE's axes alternate, whether or not the config says so. */
  readonly interleavedSections?: boolean;
  /** The code rotates in this pairing whatever `rope_interleave` says. */
  readonly fixedPairing?: boolean;
}

// One word per model type: its name, default base, default head dimension and default rotated share, as far as they are fixed
// and the same in Transformers v4 and v5.
// The last line of `half` has types whose code is with their weights, not in Transformers.
const rows: Record<Pairing, string> = {
  half: `
afmoe:1e4:128 apertus:12e6 arcee:1e4 aria_text:1e4 baichuan:1e4 bamba:1e4::.5 bitnet:5e5 chameleon:1e4
clvp_decoder clvp_encoder cohere_compass_text::128 cosmos3_edge_text:1e8:128 csm:5e5 csm_depth_decoder_model:5e5 cwm:1e6:128
dbrx:1e4 deepseek_ocr2_encoder:1e4 deepseek_ocr2_text:1e4 dia_decoder:1e4:128 dia_encoder:1e4:128 diffllama:1e4
diffusion_gemma_text doge:1e4 dots1:1e4 emu3_text_model:1e6 esm:1e4 eurobert:1e4 evolla:5e5 exaone4:1e4 exaone4_5
exaone4_5_text exaone_moe:1e4 falcon:1e4 falcon_h1 flex_olmo:5e5 fuyu:25e3::.5 gemma:1e4:256 gemma2:1e4:256 gemma3_text
gemma3n_text gemma4_text gemma4_unified_text embedding_gemma2_text glm4_moe:1e4::.5 glm4v_moe_text:1e4::.5 glm_image_text:1e4
glmasr_encoder:1e4::.5 gpt_neox:1e4::.25 gpt_neox_japanese:1e4 gpt_oss:15e4:64 granite:1e4 granite4_vision_text:1e4
granite_swa:1e4 granitemoe:1e4 granitemoe_swa:1e4 granitemoehybrid:1e4 granitemoeshared:1e4 higgs_audio_v2:5e5:128
hrm_text::128 hunyuan_v1_dense:1e4 hunyuan_v1_moe:1e4 hunyuan_vl_text:1e4 hy_v3:11158840:128 hyperclovax:1e4 idefics:1e4
jais2:1e4 jetmoe:1e4 jina_embeddings_v3:2e4 kyutai_speech_to_text laguna::128 lasr_encoder:1e4 lfm2:1e6 lfm2_moe:1e6 llama:1e4
mellum::128 mimi:1e4 mimo_v2_flash::192:.334 minicpm3:1e4 minimax:1e6 minimax_m2:5e6:128 minimax_m3_vl_text:5e6:128
ministral:1e4 ministral3:1e6:128 mistral:1e4 mixtral:1e6 mllama_text_model:5e5 modernbert modernbert-decoder moshi:1e4
muse_glimmer_assistant:5e5:128 muse_glimmer_text:1e4:128 nemotron:1e4::.5 nomic_bert:1e3 olmo:1e4 olmo2:1e4 olmo3
olmo_hybrid:1e4 olmoe:1e4 paddleocr_vl_text:5e5:128 persimmon:::.5 phi:1e4::.5 phi3:1e4 phi4_multimodal:1e4 phimoe:1e6
qwen2:1e4 qwen2_5_omni_talker:1e6:128 qwen2_5_omni_text:1e6 qwen2_5_vl:1e6 qwen2_5_vl_text:1e6 qwen2_moe:1e4 qwen2_vl:1e6
qwen2_vl_text:1e6 qwen3:1e4:128 qwen3_5_moe_text::256:.25 qwen3_5_text::256:.25 qwen3_moe:1e4 qwen3_next::256:.25
qwen3_omni_moe_talker_code_predictor:1e4:128 qwen3_omni_moe_talker_text:1e4 qwen3_omni_moe_text:1e6 qwen3_vl_moe_text
qwen3_vl_text::128 recurrent_gemma:1e4::.5 RefinedWebModel:1e4 seed_oss:1e4:128 smollm3:2e6 solar_open:1e6:128
stablelm:1e4::.25 starcoder2:1e4 step3p5::128 t5_gemma_module:1e4:256 t5gemma2_decoder t5gemma2_text timesfm2_5:1e4:80
vaultgemma:1e4:256 voxtral_realtime_encoder::64 voxtral_realtime_text:1e4 wav2vec2-bert wav2vec2-conformer xcodec2:1e4:64
zamba2:1e4 zaya::128:.5
deepseek exaone internlm2 interns1_pro_text llava_qwen2 mimo minimax_m3 mobilellm nemotron-nas openelm orion phi3_v qwen`,
  interleaved: `
blt:5e5 blt_global_transformer:5e5 blt_local_decoder:5e5 blt_local_encoder:5e5 blt_patcher:1e4 chatglm:1e4::.5 codegen:1e4
cohere cohere2:1e4 cohere2_moe:1e4:128 deepseek_v2:1e4 deepseek_v4:1e4:512:.125 efficientloftr:1e4::4 ernie4_5:5e5:128 ernie4_5_moe:5e5
ernie4_5_vl_moe_text:5e5 glm:1e4:128:.5 glm4:1e4:128:.5 glm4v_text:1e4 glm_ocr_text:1e4 gptj:1e4 helium:1e5:128 lightglue
llama4 llama4_text:5e5:128 moonshine:1e4::.9 moonshine_streaming:1e4::.8 neobert:1e4 openai_privacy_filter:15e4:64
pe_audio_encoder:2e4:128 pe_audio_video_encoder:2e4:128 pe_video_encoder:2e4:128 roformer:1e4`,
  "interleaved-to-half": `
axk1:1e4 axk2:1e4 deepseek_v3:1e4 deepseek_v32:1e4 glm4_moe_lite:1e4 glm_moe_dsa:1e4 kimi_k2 longcat_flash:1e7 mistral4:1e4 youtu:1e4`,
};

const gemma3 = { theta: 1e6, localTheta: 1e4, headDim: 256 };
const gemma4 = { ...gemma3, globalRope: { rope_type: "proportional", partial_rotary_factor: 0.25 } };
const gemma4Wide = { ...gemma4, globalHeadDim: 512 };
const modernbert = { theta: 160000, localTheta: 10000 };
const byLayer = (full: Json, sliding: Json) => ({ rope: { full_attention: full, sliding_attention: sliding } });
const yarn = (factor: number, original: number, more: Json): Json => ({
  rope_type: "yarn",
  factor,
  original_max_position_embeddings: original,
  ...more,
});
const gptOss = { rope: yarn(32, 4096, { truncate: false }) };
const ministral = { mscale: 1, mscale_all_dim: 1, llama_4_scaling_beta: 0.1 };
const llama3 = (factor: number, original: number, low: number, high: number) => ({
  rope: {
    rope_type: "llama3",
    factor,
    original_max_position_embeddings: original,
    low_freq_factor: low,
    high_freq_factor: high,
  },
});
const chunked = { sections: [8, 12, 12] };
const qwen3Vl = { sections: [24, 20, 20], interleavedSections: true };
const qwen35 = { sections: [11, 11, 10], interleavedSections: true };
const cosmos3 = { rope: { rope_type: "default", mrope_section: [24, 20, 20] }, interleavedSections: true };
const needsSections = { needsSections: true };
const fixed = { fixedPairing: true };

// Facts that do not fit into such a word.
const groups: readonly (readonly [Partial<RotaryFacts>, string])[] = [
  [gemma3, "gemma3_text gemma3n_text t5gemma2_decoder t5gemma2_text"],
  [gemma4, "embedding_gemma2_text"],
  [gemma4Wide, "diffusion_gemma_text gemma4_text gemma4_unified_text"],
  [modernbert, "modernbert modernbert-decoder"],
  [{ rotaryDim: 64 }, "gptj codegen"],
  [gptOss, "gpt_oss openai_privacy_filter"],
  [llama3(8, 8192, 1, 4), "apertus"],
  [llama3(16, 8192, 1, 4), "cwm"],
  [llama3(32, 1024, 0.125, 0.5), "higgs_audio_v2"],
  [{ rope: yarn(16, 16384, ministral) }, "ministral3"],
  [{ rope: yarn(128, 8192, ministral) }, "mistral4"],
  [byLayer({ rope_theta: 5e5, partial_rotary_factor: 0.5 }, { rope_theta: 1e4 }), "laguna"],
  [byLayer({ rope_theta: 5e5 }, { rope_theta: 1e4 }), "mellum"],
  [byLayer({ rope_theta: 5e6 }, { rope_theta: 1e4 }), "mimo_v2_flash"],
  [{ rope: { hybrid: { rope_theta: 5e6 }, hybrid_sliding: { rope_theta: 1e4 } } }, "zaya"],
  [chunked, "glm4v_text glm4v_moe_text glm_image_text glm_ocr_text"],
  [qwen3Vl, "cohere_compass_text qwen3_omni_moe_talker_text qwen3_omni_moe_text qwen3_vl_moe_text qwen3_vl_text"],
  [qwen35, "qwen3_5_moe_text qwen3_5_text"],
  [{ ...cosmos3, ...needsSections }, "cosmos3_edge_text"],
  [
    needsSections,
    "paddleocr_vl_text qwen2_5_omni_talker qwen2_5_omni_text qwen2_5_vl qwen2_5_vl_text qwen2_vl qwen2_vl_text",
  ],
  [fixed, "axk2 deepseek_v32 glm_moe_dsa longcat_flash"],
];

function parse(): Record<string, RotaryFacts> {
  const more = Object.fromEntries(groups.flatMap(([facts, types]) => types.split(" ").map((type) => [type, facts])));
  const facts: [string, RotaryFacts][] = [];
  for (const [pairing, types] of Object.entries(rows))
    for (const word of types.trim().split(/\s/)) {
      const [type, ...values] = word.split(":");
      // Empty: not fixed.
      const [theta, headDim, share] = values.map((value) => (value ? Number(value) : undefined));
      const given = { theta, headDim, share, ...lookUp(more, type!) };
      facts.push([type!, { pairing: pairing as Pairing, ...(given as Partial<RotaryFacts>) }]);
    }
  return Object.fromEntries(facts);
}
let parsed: Record<string, RotaryFacts> | undefined;

/** Returns the facts of a rotary model type; undefined if the type is not known to rotate. */
export function rotaryFacts(type: string): RotaryFacts | undefined {
  parsed ??= parse();
  return lookUp(parsed, type) ?? lookUp(parsed, textTypeOf(type));
}
/** Returns all known rotary model types. */
export const rotaryTypes = (): string[] => Object.keys((parsed ??= parse()));

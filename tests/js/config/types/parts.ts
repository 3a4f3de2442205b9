// What the configs and layers of model types are made of.
import type { LayerSpec, Part } from "posenc/config";

export type Expected = Omit<LayerSpec, "layer" | "part" | "note" | "assumed" | "ignored"> & {
  part?: Part;
  note?: RegExp;
};
export interface Case {
  config: Record<string, unknown>;
  /** In order, the parts one after another. */
  layers: Expected[];
}

export const text = { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, max_position_embeddings: 128 };
export const rotating = { ...text, rope_theta: 50000 };
export const [full, sliding] = ["full_attention", "sliding_attention"];

export const rope = (fields: object = {}) =>
  ({ kind: "rope", dim: 16, base: 50000, pairing: "half", ...fields }) as never;
export const learned = (length: number, dim = 64, start = 0) =>
  ({ kind: "learned", length, dim, ...(start > 0 && { start }) }) as never;
export const spec = (kind: string, fields: object) => ({ kind, ...fields }) as never;
export const layer = (type: string, of: Expected["spec"], more: Partial<Expected> = {}): Expected => ({
  type,
  spec: of,
  ...more,
});
export const times = (count: number, one: Expected): Expected[] => Array.from({ length: count }, () => one);
export const two = (of: Expected["spec"], more: Partial<Expected> = {}) => times(2, layer(full!, of, more));
/** Types whose configs and layers are alike. */
export const alike = (types: string, config: object, layers: Expected[]): Record<string, Case> =>
  Object.fromEntries(types.split(" ").map((model_type) => [model_type, { config: { model_type, ...config }, layers }]));
export const single = (model_type: string, config: object, layers: Expected[]): Record<string, Case> =>
  alike(model_type, config, layers);
export function nested(one = full!, other = sliding!) {
  return {
    [one]: { rope_type: "default", rope_theta: 1e6 },
    [other]: { rope_type: "default", rope_theta: 10000 },
  };
}

export const local = (of: Expected["spec"], window: Expected["window"] = 32) =>
  layer(sliding!, of, { window: window! });
export const eight = { ...rotating, head_dim: 16, num_hidden_layers: 8, sliding_window: 32 };
export const [globalBase, localBase] = [rope({ base: 1e6 }), rope({ base: 10000 })];
export const pattern = (size: number, inner: Expected, last: Expected, count = 8) =>
  Array.from({ length: count }, (_, i) => ((i + 1) % size === 0 ? last : inner));
export const llama4 = { factor: 0.1, length: 8192, offset: 1 };

export function proportional(dim: number, rotaryDim: number) {
  return spec("rope-proportional", { dim, rotaryDim, base: 1e6, pairing: "half" });
}

export const linear = layer("linear_attention", null);
export const encoder = (of: Expected["spec"], more: Partial<Expected> = {}) => ({
  ...layer(full!, of, more),
  part: "encoder" as const,
});
export const decoder = (of: Expected["spec"], more: Partial<Expected> = {}) => ({
  ...layer(full!, of, more),
  part: "decoder" as const,
});
export const encoderDecoder = (first: Expected, second: Expected) => [...times(2, first), ...times(2, second)];
export const translator = {
  d_model: 64,
  encoder_layers: 2,
  decoder_layers: 2,
  encoder_attention_heads: 4,
  max_position_embeddings: 128,
};
export const sine = (fields: object = {}) => spec("sinusoidal", { dim: 64, pairing: "concat", ...fields });
export const whisper = { ...translator, max_target_positions: 448 };
export const fairseq = sine({ frequencyShift: 1, oddDim: "pad", paddingIndex: 1 });
export const relative = spec("transformer-xl", { dim: 16, heads: 4, modelDim: 64 });
export const parakeet = {
  model_type: "parakeet_encoder",
  hidden_size: 64,
  num_attention_heads: 4,
  num_hidden_layers: 2,
};
export const detrLike = (grid: object) =>
  encoderDecoder(encoder(spec("sinusoidal-2d", grid)), decoder(null, { note: /queries/ }));
export const moonshine = rope({ base: 10000, rotaryDim: 14, pairing: "interleaved" });
export const sinusoid2d = { dim: 64, start: 1, normalize: true, scale: 2 * Math.PI };

export function vit() {
  return { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, image_size: 32, patch_size: 8 };
}
export const vision = (layers: Expected[]): Expected[] => layers.map((one) => ({ ...one, part: "vision" as const }));
export const sound = (layers: Expected[]): Expected[] => layers.map((one) => ({ ...one, part: "audio" as const }));
export const images = (types: string, of: Expected["spec"], more: object = {}, facts: Partial<Expected> = {}) =>
  alike(types, { ...vit(), ...more }, vision(two(of, facts)));
export const window = (heads: number, size = 4, more: object = {}) =>
  spec("swin", { heads, windowHeight: size, windowWidth: size, ...more });
export const stages = [...times(2, layer("stage1", window(2))), layer("stage2", window(4))];
export const swin = { num_heads: [2, 4], depths: [2, 1], window_size: 4 };
export const dinov2 = { model_type: "dinov2", ...vit() };

export const clip = {
  text_config: { hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, max_position_embeddings: 77 },
  vision_config: vit(),
};
export function qwenText() {
  return { ...text, rope_theta: 50000, rope_scaling: { type: "mrope", mrope_section: [4, 2, 2] } };
}
export function qwenVision() {
  return { depth: 2, hidden_size: 64, num_heads: 4 };
}
/** As it was published: the language model beside its image encoder. */
export function qwenVl() {
  return { ...qwenText(), vision_config: { depth: 2, embed_dim: 64, hidden_size: 64, num_heads: 4 } };
}

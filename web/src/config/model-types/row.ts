// What the code and the configuration class of a model type fix, in Hugging Face transformers or, if it is not there, with the
// weights of the models: one row per type. Facts only: the readers apply them.
import type { Temperature } from "../../base/call-options.js";
import type { Json } from "../../base/json.js";
import type { AxisRule } from "../rules/axes.js";
import type { Pattern } from "../rules/schedules.js";
import type { SecondRule } from "../rules/second.js";
import type { Rule } from "../rules/text.js";
import type { WindowRule } from "../rules/windows.js";

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
  /** First rotated feature; -1: the last ones are rotated. */
  readonly rotaryStart?: number;
  /** The head is the hidden size divided by the number of heads, times this. */
  readonly headShares?: number;
  /** `head_dim` includes the rotated part, `qk_rope_head_dim`. */
  readonly headIncludesRotated?: boolean;
  /** The default of `qk_rope_head_dim`, all of which rotates whatever share the config names. */
  readonly latentDim?: number;
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
  /** The axis of each pair, if M-RoPE's sections do not express it. */
  readonly axes?: AxisRule;
  /** The code rotates in this pairing whatever `rope_interleave` says. */
  readonly fixedPairing?: boolean;
}

/** Facts about layers. */
interface LayerRules {
  /** Kind of each layer, unless the config lists the kinds. */
  readonly schedule?: Pattern;
  /** Window of a local layer. Default: the `sliding_window` of the config. */
  readonly window?: WindowRule;
  /** Layers of every kind have this window. */
  readonly alwaysLocal?: boolean;
  /** `sliding_window` is unused unless `use_sliding_window` is true. */
  readonly windowOff?: boolean;
  /** Attention has no positions. */
  readonly isUnrotated?: (model: Json) => boolean;
  /** Layers with full attention have no positions: the model rotates only within windows. */
  readonly rotatesLocally?: (model: Json) => boolean;
  /** Layers that rotate even so. */
  readonly rotatesAnyway?: (model: Json, layer: number) => boolean;
  /** `no_rope_layers` or `no_rope_layer_interval` says which layers rotate; without these, every fourth does not. */
  readonly rotatesByList?: boolean;
  /** Tokens of one chunk attend to each other only. */
  readonly chunk?: (model: Json) => number;
  /** Temperature of the queries in layers without rotation. */
  readonly unrotatedTemperature?: (model: Json) => Temperature | undefined;
  /** Temperature of the queries in layers of a kind (undefined: of any). */
  readonly temperature?: (model: Json, layerType?: string) => Temperature | undefined;
  /** The field of the config that determines it. */
  readonly temperatureField?: string;
  /** A further encoding or a note. */
  readonly second?: SecondRule;
  /** A field that has an effect which no single encoding expresses, given or not. */
  readonly unexpressed?: string;
}

/** Facts about the stacks of layers. */
interface StackRules {
  /**
   * "none": positions come from convolutions, if at all. "undescribed": the config has little more than its type, as it was made
   * for transformers.js.
   */
  readonly layers?: "none" | "undescribed";
  /** Fields with the number of layers of encoder and decoder. */
  readonly counts?: readonly [encoder: string, decoder: string];
  /** Both halves belong to the model, even as its text part. */
  readonly hasBothHalves?: boolean;
  /** `num_layers_per_stack` counts the layers of one of two stacks, which alternate. */
  readonly alternates?: boolean;
  /** `depths` lists numbers of layers, not stages of an image encoder. */
  readonly isUnstaged?: boolean;
  /** Why posenc has no kind for the decoder's positions. */
  readonly decoderNote?: string;
  /** Why posenc has no kind for positions of layers that the config describes outside of its nested parts. */
  readonly topNote?: string;
}

/** A model type. One with a `pairing` rotates. */
export interface ModelType extends Partial<RotaryFacts>, LayerRules, StackRules {
  /** Model types of nested parts that do not name theirs. */
  readonly text?: string;
  readonly vision?: string;
  readonly audio?: string;
  /** The text part has M-RoPE's sections from `mrope_section` at the top level of the config; these are its default. */
  readonly outerSections?: readonly number[];
  /** Reads the encoding of a model that does not rotate, or not with every config. */
  readonly rule?: Rule;
  /** The same for the image encoder of this type. */
  readonly visionRule?: Rule;
  /** Why posenc has no kind for its positions: words that follow "its positions". */
  readonly reason?: string;
}

/** Model types by name. A function, so that nothing is built before a config is read. */
export type ModelTypes = () => Record<string, ModelType>;

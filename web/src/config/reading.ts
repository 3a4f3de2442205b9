// The result of reading a config.
import type { Spec } from "../base/specs.gen.js";

/** Result of `readConfig` and `readGguf`. */
export interface ConfigReading {
  /** Spec of the encoding, as `specFromConfig` returns it. */
  readonly spec: Spec;
  /**
   * Fields of the spec that neither the config, the options nor the model type determine: they have Llama's values. "pairing" is
   * "half", "rotaryDim" is the whole head, "dim" is the hidden size divided by the number of heads. Empty for known types.
   */
  readonly assumed: readonly string[];
  /**
   * Names of config fields about positions that the spec does not express: fields of attention and of single layers (`layerSpecs`
   * returns them), unknown fields, and parameters in `rope_scaling` that its rope type does not use. Of a GGUF header: its unread
   * keys `<architecture>.rope.*`.
   */
  readonly ignored: readonly string[];
}

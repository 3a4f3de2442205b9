// What comes of reading a config.
import type { Spec } from "../base/specs.gen.js";

/** What `readConfig` returns. */
export interface ConfigReading {
  /** What `specFromConfig` returns. */
  readonly spec: Spec;
  /**
   * Fields of the spec that neither the config, the options nor the model type determine: they have Llama's values. "pairing"
   * is "half", "rotaryDim" is the whole head, "dim" is the hidden size divided by the number of heads. Empty for known types.
   */
  readonly assumed: readonly string[];
  /**
   * Fields of the config about positions that the spec does not express, by their names: those of attention and of single
   * layers (`layerSpecs` has them), unknown ones, and parameters in `rope_scaling` that its rope type does not use.
   */
  readonly ignored: readonly string[];
}

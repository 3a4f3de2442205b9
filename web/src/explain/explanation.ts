// Types of explanations, by family of the encoding.
import type { Family } from "../base/specs.gen.js";
import type { OwnedFloat32Array, OwnedFloat64Array } from "../base/types.js";

/**
 * Effect of a scaling rule on a pair: `slowed` by its full factor, `blended` by a part of it, `still` = not rotated.
 */
export type PairChange = "unchanged" | "blended" | "slowed" | "faster" | "still";

/** Adjacent pairs that change in the same way. */
export interface PairRun {
  /** Index of the first pair. */
  first: number;
  /** Index of the last pair, inclusive. */
  last: number;
  /** Effect of the scaling rule on the pairs. */
  change: PairChange;
  /** Smallest and largest frequency, as a multiple of the frequency in plain RoPE. */
  ratio: [number, number];
}

/** The frequencies of a rotary encoding in one range of sequence lengths. */
export interface RotaryRegime {
  /** Smallest sequence length of the range. Equal to `toLength` if frequencies change with each length. */
  fromLength: number;
  /** Largest sequence length of the range. */
  toLength: number;
  /** Positions per full rotation of each pair, [pairs]; Infinity if a pair is not rotated. */
  wavelengths: OwnedFloat64Array;
  /** Changes of the pairs compared with plain `rope` of the same dim, rotaryDim and base. */
  pairs: PairRun[];
  /** Length at which the slowest of the rotated pairs completes a full rotation. */
  longestWavelength: number;
}

interface Explained {
  kind: string;
  /** Summary in one paragraph, with the values of the spec. */
  summary: string;
  /** Dims of its learned parameters, by name. */
  parameters: Record<string, readonly number[]>;
  /** Fields of the spec that have Llama's values because the config's model type is unknown; see `Encoding.assumed`. */
  assumed: readonly string[];
  /** Fields of the config about positions that the encoding does not express; see `Encoding.ignored`. */
  ignored: readonly string[];
}

/** Explanation of a rotary encoding: wavelengths, and the effect of a scaling rule on each pair. */
export interface RotaryExplanation extends Explained, Omit<RotaryRegime, "fromLength" | "toLength"> {
  /** Always "rotary". */
  family: "rotary";
  /** Factor of cosines and sines. */
  attentionFactor: number;
  /** Number of positions that `rotations` refers to: the option, or the spec's `originalLength`. */
  contextLength: number | undefined;
  /** Number of rotations of each pair in `contextLength` positions, [pairs]; undefined without `contextLength`. */
  rotations: OwnedFloat64Array | undefined;
  /**
   * Frequencies by sequence length, if they depend on it: one entry for each range, or for sample lengths if they keep
   * changing.
   */
  regimes: RotaryRegime[];
}

/** Explanation of a table: wavelengths of its sinusoids. */
export interface TableExplanation extends Explained {
  /** Always "table". */
  family: "table";
  /** Number of features of a row. */
  dim: number;
  /** Positions per period of each sinusoid; undefined if rows are not sinusoids. */
  wavelengths: OwnedFloat64Array | undefined;
  /** Whether PE(m + k) is a rotation of PE(m), as `shift` computes it. */
  shiftable: boolean;
}

/** Explanation of a bias: slopes, and reach of each head. */
export interface BiasExplanation extends Explained {
  /** Always "bias". */
  family: "bias";
  /** Number of heads with separate biases. */
  heads: number;
  /** Slope of each head, [heads]; undefined if the bias is not linear. */
  slopes: OwnedFloat32Array | undefined;
  /**
   * Distances to keys before the query at which a head's weight falls, [heads] each. undefined for grids.
   *
   * - `halved`: to a half (bias -ln 2).
   * - `nat`: to 1/e (bias -1).
   * - `masked`: to 0 (bias -Infinity).
   *
   * Infinity: not within 65536, or less with more than 256 heads.
   */
  reach: { halved: number[]; nat: number[]; masked: number[] } | undefined;
}

/** Explanation of a relative encoding: only the common fields. */
export interface RelativeExplanation extends Explained {
  /** Always "relative". */
  family: "relative";
}

/** Results of `explain`, by family. */
export interface Explanations {
  /** For `RotaryEncoding`. */
  rotary: RotaryExplanation;
  /** For `TableEncoding`. */
  table: TableExplanation;
  /** For `BiasEncoding`. */
  bias: BiasExplanation;
  /** For `RelativeEncoding`. */
  relative: RelativeExplanation;
}

/** The result of `explain`. Its `family` determines the fields. */
export type Explanation = Explanations[keyof Explanations];

/** The result of `explain` for a family. */
export type ExplanationOf<F extends Family> = Explanations[F];

/** Options of `explain`. */
export interface ExplainOptions {
  /**
   * Length in positions for which a rotary encoding's rotations per pair (`rotations`) are computed. Default: the spec's
   * `originalLength`; without one, `rotations` is undefined.
   */
  contextLength?: number;
}

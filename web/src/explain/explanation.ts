// What an explanation says of an encoding of each family.
import type { Family } from "../base/specs.gen.js";

/** How a scaling rule changes a pair: `slowed` by all of its factor, `blended` by a part of it, `still` = does not turn. */
export type PairChange = "unchanged" | "blended" | "slowed" | "faster" | "still";

/** Neighbouring pairs that share a fate. */
export interface PairRun {
  first: number;
  last: number;
  change: PairChange;
  /** Smallest and largest frequency, as a multiple of plain RoPE's. */
  ratio: [number, number];
}

/** The turning of a rotary encoding in sequences of one range of lengths. */
export interface RotaryRegime {
  /** The sequence lengths it holds for; where frequencies go on changing, both are the one length looked at. */
  fromLength: number;
  toLength: number;
  /** Positions per turn of each pair; Infinity where a pair stands still. */
  wavelengths: Float64Array;
  /** Against plain `rope` of the same dim, rotaryDim and base. */
  pairs: PairRun[];
  /** Length at which the slowest of the turning pairs has turned once. */
  slowestTurn: number;
}

interface Explained {
  kind: string;
  /** One paragraph that names the numbers of this spec. */
  summary: string;
  /** The dims of its learned numbers, by name. */
  parameters: Record<string, readonly number[]>;
}

export interface RotaryExplanation extends Explained, Omit<RotaryRegime, "fromLength" | "toLength"> {
  family: "rotary";
  attentionFactor: number;
  /** The context that `turns` counts in: as asked for, or the spec's `originalLength`. */
  contextLength: number | undefined;
  /** Turns of each pair in `contextLength` positions. */
  turns: Float64Array | undefined;
  /** Where frequencies go by the sequence length: each range of lengths, or lengths along the growth. */
  regimes: RotaryRegime[];
}

export interface TableExplanation extends Explained {
  family: "table";
  dim: number;
  /** Positions per period of each wave, where rows are waves. */
  wavelengths: Float64Array | undefined;
  /** Is PE(m + k) a rotation of PE(m), as `shift` gives it? */
  shiftable: boolean;
}

export interface BiasExplanation extends Explained {
  family: "bias";
  heads: number;
  /** One for each head, where the bias is a straight line. */
  slopes: Float32Array | undefined;
  /**
   * Distance to keys before the query at which a head's weight has halved (bias -ln 2), fallen to 1/e (bias -1) and become
   * 0 (bias -Infinity). Infinity: not within 65536, or fewer with more than 256 heads. Not for grids.
   */
  reach: { half: number[]; nat: number[]; hidden: number[] } | undefined;
}

export interface RelativeExplanation extends Explained {
  family: "relative";
}

/** What `explain` answers, by family. */
export interface Explanations {
  rotary: RotaryExplanation;
  table: TableExplanation;
  bias: BiasExplanation;
  relative: RelativeExplanation;
}

export type Explanation = Explanations[keyof Explanations];

/** What `explain` answers for a family. */
export type ExplanationOf<F extends Family> = Explanations[F];

export interface ExplainOptions {
  /** Context to count a rotary encoding's turns in. Default: the spec's `originalLength`, if it has one. */
  contextLength?: number;
}

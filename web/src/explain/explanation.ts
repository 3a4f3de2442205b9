// What an explanation says of an encoding of each family.
import type { Family } from "../base/specs.gen.js";
import type { OwnedFloat32Array, OwnedFloat64Array } from "../base/types.js";

/** How a scaling rule changes a pair: `slowed` by all of its factor, `blended` by a part of it, `still` = does not turn. */
export type PairChange = "unchanged" | "blended" | "slowed" | "faster" | "still";

/** Neighbouring pairs that share a fate. */
export interface PairRun {
  /** The first pair. */
  first: number;
  /** The last pair, itself included. */
  last: number;
  /** What the scaling rule does to them. */
  change: PairChange;
  /** Smallest and largest frequency, as a multiple of plain RoPE's. */
  ratio: [number, number];
}

/** The turning of a rotary encoding in sequences of one range of lengths. */
export interface RotaryRegime {
  /** The sequence lengths it holds for; where frequencies go on changing, both are the one length looked at. */
  fromLength: number;
  /** The last of these lengths. */
  toLength: number;
  /** Positions per turn of each pair; Infinity where a pair stands still. */
  wavelengths: OwnedFloat64Array;
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
  /** Fields of the spec that have Llama's values because the config's model type is unknown; see `Encoding.assumed`. */
  assumed: readonly string[];
  /** Fields of the config about positions that the encoding does not express; see `Encoding.ignored`. */
  ignored: readonly string[];
}

/** Rotations: wavelengths, and what a scaling rule does to which pairs. */
export interface RotaryExplanation extends Explained, Omit<RotaryRegime, "fromLength" | "toLength"> {
  /** "rotary". */
  family: "rotary";
  /** What cosines and sines are multiplied by. */
  attentionFactor: number;
  /** The context that `turns` counts in: as asked for, or the spec's `originalLength`. */
  contextLength: number | undefined;
  /** Turns of each pair in `contextLength` positions. */
  turns: OwnedFloat64Array | undefined;
  /** Where frequencies go by the sequence length: each range of lengths, or lengths along the growth. */
  regimes: RotaryRegime[];
}

/** Tables: the waves that their rows are made of. */
export interface TableExplanation extends Explained {
  /** "table". */
  family: "table";
  /** Width of a row. */
  dim: number;
  /** Positions per period of each wave, where rows are waves. */
  wavelengths: OwnedFloat64Array | undefined;
  /** Is PE(m + k) a rotation of PE(m), as `shift` gives it? */
  shiftable: boolean;
}

/** Biases: slopes, and how far each head sees. */
export interface BiasExplanation extends Explained {
  /** "bias". */
  family: "bias";
  /** How many heads have a bias of their own. */
  heads: number;
  /** One for each head, where the bias is a straight line. */
  slopes: OwnedFloat32Array | undefined;
  /**
   * Distance to keys before the query at which a head's weight has halved (bias -ln 2), fallen to 1/e (bias -1) and become
   * 0 (bias -Infinity). Infinity: not within 65536, or fewer with more than 256 heads. Not for grids.
   */
  reach: { half: number[]; nat: number[]; hidden: number[] } | undefined;
}

/** Relative encodings: what all explanations have. */
export interface RelativeExplanation extends Explained {
  /** "relative". */
  family: "relative";
}

/** What `explain` answers, by family. */
export interface Explanations {
  /** Of `RotaryEncoding`. */
  rotary: RotaryExplanation;
  /** Of `TableEncoding`. */
  table: TableExplanation;
  /** Of `BiasEncoding`. */
  bias: BiasExplanation;
  /** Of `RelativeEncoding`. */
  relative: RelativeExplanation;
}

/** What `explain` answers: its `family` tells which. */
export type Explanation = Explanations[keyof Explanations];

/** What `explain` answers for a family. */
export type ExplanationOf<F extends Family> = Explanations[F];

/** What an explanation is to count in. */
export interface ExplainOptions {
  /** Context to count a rotary encoding's turns in. Default: the spec's `originalLength`, if it has one. */
  contextLength?: number;
}

// Generated from the C++ core by web/tasks/generate.mjs; do not edit.
import type { ParameterData } from "./types.js";

/** One-hot. Source: textbook. */
export interface OneHotSpec {
  kind: "one-hot";
  /** Number of features. (unit: features, ≥ 1, ≤ 1048576) */
  dim: number;
}

/** Integer (cumulative). Source: textbook. */
export interface IntegerSpec {
  kind: "integer";
  /** Number of features. (unit: features, ≥ 1, ≤ 1048576) Default 1. */
  dim?: number;
}

/** Normalised to [0, 1]. Source: textbook. */
export interface NormalizedSpec {
  kind: "normalized";
  /** Number of features. (unit: features, ≥ 1, ≤ 1048576) Default 1. */
  dim?: number;
  /** Sequence length n; 0: the number of positions in each call. (unit: positions, ≥ 0, ≤ 2147483647) Default 0. */
  length?: number;
}

/** Binary digits. Source: textbook. */
export interface BinarySpec {
  kind: "binary";
  /** Number of features. (unit: features, ≥ 1, ≤ 1048576) */
  dim: number;
}

/** Periodic (sine only). Source: textbook. */
export interface PeriodicSpec {
  kind: "periodic";
  /** Number of features. (unit: features, ≥ 1, ≤ 1024) */
  dim: number;
}

/** Sinusoidal. Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.5. */
export interface SinusoidalSpec {
  kind: "sinusoidal";
  /** Number of features. (unit: features, ≥ 1, ≤ 1048576) */
  dim: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** interleaved [s0 c0 s1 c1 …] or concat [s0 s1 … c0 c1 …]. Default "interleaved". */
  pairing?: "interleaved" | "concat";
  /** Whether sines or cosines come first. Default "sin-cos". */
  order?: "sin-cos" | "cos-sin";
  /** Value subtracted from dim/2 in the exponent: 0 (paper, DiT) or 1 (fairseq, Whisper). (≥ 0, ≤ 1) Default 0. */
  frequencyShift?: number;
  /** Multiplier of positions. (≥ -1000000000, ≤ 1000000000) Default 1. */
  scale?: number;
  /** Offset added to positions. (unit: positions, ≥ -281474976710656, ≤ 281474976710656) Default 0. */
  start?: number;
  /** Odd dim: drop the last cosine, end in a zero, or use the frequencies of dim + 1. Default "truncate". */
  oddDim?: "truncate" | "pad" | "round-up";
  /** Position whose row is zero (fairseq); -1: none. (≥ -1, ≤ 2147483647) Default -1. */
  paddingIndex?: number;
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
}

/** Sinusoidal, 2-D. Source: Parmar et al. 2018, arXiv:1802.05751, section 3.1. */
export interface Sinusoidal2dSpec {
  kind: "sinusoidal-2d";
  /** Number of features, all axes together. (unit: features, ≥ 1, ≤ 1048576) */
  dim: number;
  /** Frequency base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Per axis interleaved [s0 c0 …] or concat [s0 … c0 …]; grouped: all sines, then cosines. Default "interleaved". */
  pairing?: "interleaved" | "concat" | "grouped";
  /** Whether sines or cosines come first. Default "sin-cos". */
  order?: "sin-cos" | "cos-sin";
  /** Value subtracted from the number of frequencies per axis in the exponent. (≥ 0, ≤ 1) Default 0. */
  frequencyShift?: number;
  /** Unequal shares: round-up: larger shares, cut at the end; pad: smaller shares and zeros. Default "round-up". */
  unevenDim?: "round-up" | "pad";
  /** Multiplier of coordinates. (≥ -1000000000, ≤ 1000000000) Default 1. */
  scale?: number;
  /** Offset added to positions (DETR: 1). (unit: positions, ≥ -281474976710656, ≤ 281474976710656) Default 0. */
  start?: number;
  /** Whether positions are divided by the grid's last position + eps. Default false. */
  normalize?: boolean;
  /** Value that keeps `normalize` from dividing by 0. (≥ 0, ≤ 1) Default 0.000001. */
  eps?: number;
  /** Number of cells along each axis that grids are stretched to; 0: no stretching. (unit: cells, ≥ 0, ≤ 1048576) Default 0. */
  baseSize?: number;
  /** Features that come first: those of the row (yx) or of the column (xy, MAE). Default "yx". */
  axisOrder?: "yx" | "xy";
}

/** Sinusoidal, 3-D. Source: Vaswani et al. 2018, arXiv:1803.07416. */
export interface Sinusoidal3dSpec {
  kind: "sinusoidal-3d";
  /** Number of features, all axes together. (unit: features, ≥ 1, ≤ 1048576) */
  dim: number;
  /** Frequency base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Per axis interleaved [s0 c0 …] or concat [s0 … c0 …]; grouped: all sines, then cosines. Default "interleaved". */
  pairing?: "interleaved" | "concat" | "grouped";
  /** Whether sines or cosines come first. Default "sin-cos". */
  order?: "sin-cos" | "cos-sin";
  /** Value subtracted from the number of frequencies per axis in the exponent. (≥ 0, ≤ 1) Default 0. */
  frequencyShift?: number;
  /** Unequal shares: round-up: larger shares, cut at the end; pad: smaller shares and zeros. Default "round-up". */
  unevenDim?: "round-up" | "pad";
  /** Multiplier of coordinates. (≥ -1000000000, ≤ 1000000000) Default 1. */
  scale?: number;
  /** Offset added to positions (DETR: 1). (unit: positions, ≥ -281474976710656, ≤ 281474976710656) Default 0. */
  start?: number;
  /** Whether positions are divided by the grid's last position + eps. Default false. */
  normalize?: boolean;
  /** Value that keeps `normalize` from dividing by 0. (≥ 0, ≤ 1) Default 0.000001. */
  eps?: number;
  /** Number of cells along each axis that grids are stretched to; 0: no stretching. (unit: cells, ≥ 0, ≤ 1048576) Default 0. */
  baseSize?: number;
  /** Order of the axes in a table row; positions are given as frame, row, column. Default "tyx". */
  axisOrder?: "tyx" | "txy" | "xyt";
  /** Features of the frame axis (diffusers: dim / 4), even; 0: an equal share. (unit: features, ≥ 0, ≤ 1048576) Default 0. */
  temporalDim?: number;
  /** Multiplier of the frame coordinates; null: the same as `scale`. (≥ -1000000000, ≤ 1000000000) Default null. */
  temporalScale?: number | null;
}

/** Fourier features. Source: Tancik et al. 2020, arXiv:2006.10739. */
export interface FourierSpec {
  kind: "fourier";
  /** Number of features. (unit: features, ≥ 2, ≤ 1048576) */
  dim: number;
  /** Number of coordinates per position. (unit: coordinates, ≥ 1, ≤ 4) Default 1. */
  inputs?: number;
  /** gaussian: all coordinates mixed; otherwise separate bands for each coordinate. Default "gaussian". */
  form?: "gaussian" | "geometric" | "linear";
  /** Fastest band in half cycles per unit; 0: powers of two, or (linear) the number of bands. (≥ 0, ≤ 1000000000000) Default 0. */
  maxFrequency?: number;
  /** Positions unchanged (index), or -1 to 1 over the grid: cell centres or end points. Default "index". */
  coordinates?: "index" | "centres" | "endpoints";
  /** Multiplier of coordinates. (≥ -1000000000, ≤ 1000000000) Default 1. */
  scale?: number;
  /** Whether rows begin with the coordinates themselves. Default false. */
  includeInput?: boolean;
  /** grouped: sines, then cosines; interleaved, concat: per coordinate; banded: per band. Default "grouped". */
  pairing?: "interleaved" | "concat" | "grouped" | "banded";
  /** Whether sines or cosines come first. Default "sin-cos". */
  order?: "sin-cos" | "cos-sin";
  /** Axis of the first coordinate: the first (yx) or the last (xy, SAM). Default "yx". */
  axisOrder?: "yx" | "xy";
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 1. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Cycles per unit of each coordinate. [inputs, frequencies]; default: the initial values of an untrained encoding. */
  frequencies?: ParameterData;
}

/** Learned table. Source: Gehring et al. 2017, arXiv:1705.03122, section 3.1. */
export interface LearnedSpec {
  kind: "learned";
  /** Number of rows, including skipped rows. (unit: rows, ≥ 1, ≤ 2147483647) */
  length: number;
  /** Number of features. (unit: features, ≥ 1, ≤ 1048576) */
  dim: number;
  /** Number of skipped rows: position 0 reads row `start` (RoBERTa, OPT, BART: 2). (unit: rows, ≥ 0, ≤ 2147483646) Default 0. */
  start?: number;
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** One row per position. [length, dim]; default: the initial values of an untrained encoding. */
  weights?: ParameterData;
}

/** Rotary position embedding (RoPE). Source: Su et al. 2021, arXiv:2104.09864, eq. 15. */
export interface RopeSpec {
  kind: "rope";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that are rotated by each axis (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked. Default false. */
  interleavedSections?: boolean;
  /** Axis of each pair, for layouts that sections cannot express (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Radians per position of each pair, instead of those from `base`; trainable. (≥ 0, ≤ 1000000) Default null. */
  frequencies?: readonly number[] | Float32Array | Float64Array | null;
}

/** RoPE with position interpolation. Source: Chen et al. 2023, arXiv:2306.15595, eq. 4. */
export interface RopeLinearSpec {
  kind: "rope-linear";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that are rotated by each axis (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked. Default false. */
  interleavedSections?: boolean;
  /** Axis of each pair, for layouts that sections cannot express (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Context extension factor (s). (≥ 1, ≤ 1000000000) */
  factor: number;
}

/** RoPE with NTK-aware scaling. Source: Peng et al. 2023, arXiv:2309.00071, section 3.1. */
export interface RopeNtkSpec {
  kind: "rope-ntk";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that are rotated by each axis (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked. Default false. */
  interleavedSections?: boolean;
  /** Axis of each pair, for layouts that sections cannot express (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Context extension factor (s). (≥ 1, ≤ 1000000000) */
  factor: number;
}

/** RoPE with NTK-by-parts scaling. Source: Peng et al. 2023, arXiv:2309.00071, section 3.2. */
export interface RopeNtkByPartsSpec {
  kind: "rope-ntk-by-parts";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that are rotated by each axis (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked. Default false. */
  interleavedSections?: boolean;
  /** Axis of each pair, for layouts that sections cannot express (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Context extension factor (s). (≥ 1, ≤ 1000000000) */
  factor: number;
  /** Context length used in training (L0). (unit: positions, ≥ 1, ≤ 1000000000000) */
  originalLength: number;
}

/** RoPE with dynamic NTK scaling. Source: Peng et al. 2023, arXiv:2309.00071, section 3.3. */
export interface RopeDynamicSpec {
  kind: "rope-dynamic";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that are rotated by each axis (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked. Default false. */
  interleavedSections?: boolean;
  /** Axis of each pair, for layouts that sections cannot express (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Context extension factor (s). (≥ 1, ≤ 1000000000) */
  factor: number;
  /** Context length used in training (L0). (unit: positions, ≥ 1, ≤ 1000000000000) */
  originalLength: number;
}

/** RoPE with Qwen's dynamic NTK scaling. Source: Bai et al. 2023, arXiv:2309.16609, section 2.3. */
export interface RopeQwenSpec {
  kind: "rope-qwen";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that are rotated by each axis (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked. Default false. */
  interleavedSections?: boolean;
  /** Axis of each pair, for layouts that sections cannot express (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Context length used in training (L0). (unit: positions, ≥ 1, ≤ 1000000000000) */
  originalLength: number;
}

/** YaRN. Source: Peng et al. 2023, arXiv:2309.00071, eq. 20-23. */
export interface RopeYarnSpec {
  kind: "rope-yarn";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that are rotated by each axis (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked. Default false. */
  interleavedSections?: boolean;
  /** Axis of each pair, for layouts that sections cannot express (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Context extension factor (s). (≥ 1, ≤ 1000000000) */
  factor: number;
  /** Context length used in training (L0). (unit: positions, ≥ 1, ≤ 1000000000000) */
  originalLength: number;
  /** Pairs with at least this many rotations in L0 positions are unchanged. (unit: rotations, ≥ 0.000001, ≤ 1000000000) Default 32. */
  betaFast?: number;
  /** Pairs with at most this many rotations in L0 positions are interpolated. (unit: rotations, ≥ 0.000001, ≤ 1000000000) Default 1. */
  betaSlow?: number;
  /** Whether the ramp's ends are rounded to whole pairs (gpt-oss: false). Default true. */
  truncate?: boolean;
  /** Weight of the magnitude correction (DeepSeek); 0: not given. (≥ 0, ≤ 100) Default 0. */
  mscale?: number;
  /** Divisor of the magnitude correction (DeepSeek); 0: not given. (≥ 0, ≤ 100) Default 0. */
  mscaleAllDim?: number;
  /** Multiplier of cos and sin; null: computed by the formula. (≥ 0.000001, ≤ 1000000) Default null. */
  attentionFactor?: number | null;
}

/** LongRoPE. Source: Ding et al. 2024, arXiv:2402.13753, eq. 3. */
export interface RopeLongropeSpec {
  kind: "rope-longrope";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that are rotated by each axis (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked. Default false. */
  interleavedSections?: boolean;
  /** Axis of each pair, for layouts that sections cannot express (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Divisor of each pair up to originalLength (one value: for all pairs). (≥ 0.000001, ≤ 1000000000) */
  shortFactor: readonly number[] | Float32Array | Float64Array;
  /** Divisor of each pair beyond originalLength (one value: for all pairs). (≥ 0.000001, ≤ 1000000000) */
  longFactor: readonly number[] | Float32Array | Float64Array;
  /** Context length used in training (L0). (unit: positions, ≥ 2, ≤ 1000000000000) */
  originalLength: number;
  /** Context extension factor (s). (≥ 1, ≤ 1000000000) Default 1. */
  factor?: number;
  /** Multiplier of cos and sin; null: computed by the formula. (≥ 0.000001, ≤ 1000000) Default null. */
  attentionFactor?: number | null;
}

/** RoPE with Llama 3 scaling. Source: Meta 2024, arXiv:2407.21783. */
export interface RopeLlama3Spec {
  kind: "rope-llama3";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that are rotated by each axis (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked. Default false. */
  interleavedSections?: boolean;
  /** Axis of each pair, for layouts that sections cannot express (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Context extension factor (s). (≥ 1, ≤ 1000000000) */
  factor: number;
  /** Pairs with fewer rotations than this in L0 positions are divided by s. (unit: rotations, ≥ 0.000001, ≤ 1000000000) Default 1. */
  lowFrequencyFactor?: number;
  /** Pairs with more rotations than this in L0 positions are unchanged. (unit: rotations, ≥ 0.000001, ≤ 1000000000) Default 4. */
  highFrequencyFactor?: number;
  /** Context length used in training (L0). (unit: positions, ≥ 1, ≤ 1000000000000) */
  originalLength: number;
}

/** RoPE on a share of the pairs. Source: Hugging Face Transformers 2026. */
export interface RopeProportionalSpec {
  kind: "rope-proportional";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that are rotated by each axis (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked. Default false. */
  interleavedSections?: boolean;
  /** Axis of each pair, for layouts that sections cannot express (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Context extension factor (s). (≥ 1, ≤ 1000000000) Default 1. */
  factor?: number;
}

/** Multimodal RoPE (M-RoPE). Source: Wang et al. 2024, arXiv:2409.12191, section 2.1. */
export interface RopeMropeSpec {
  kind: "rope-mrope";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that are rotated by each axis (t, h, w); the sum is the number of pairs. (unit: pairs, ≥ 0, ≤ 65536) */
  sections: readonly number[] | Float32Array | Float64Array;
  /** Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked. Default false. */
  interleavedSections?: boolean;
}

/** Axial RoPE (2-D, 3-D). Source: Heo et al. 2024, arXiv:2403.13298, eq. 9. */
export interface RopeAxialSpec {
  kind: "rope-axial";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Number of coordinates per position. (≥ 2, ≤ 4) Default 2. */
  axes?: number;
  /** Features of each block; null: equal blocks. (unit: features, ≥ 2, ≤ 65536) Default null. */
  axisDims?: readonly number[] | Float32Array | Float64Array | null;
  /** Axis that rotates each block; null: in order (h, w). [1, 0]: x first. (≥ 0, ≤ 3) Default null. */
  axisOrder?: readonly number[] | Float32Array | Float64Array | null;
  /** own frequencies per axis, one table strided over the axes (Pixtral), or pixel frequencies. Default "own". */
  form?: "own" | "strided" | "pixel";
  /** Form pixel: twice the fastest frequency, in units of π. (≥ 2, ≤ 1000000) Default 10. */
  maxFrequency?: number;
  /** index: unchanged; endpoints: linspace(-1, 1); centres: cell centres of [-1, 1] (DINOv3). Default "index". */
  coordinates?: "index" | "endpoints" | "centres";
  /** Offset added to scaled coordinates (Llama 4: 1). (≥ -281474976710656, ≤ 281474976710656) Default 0. */
  start?: number;
  /** Multiplier of coordinates (DINOv3: 2π). (≥ -1000000000, ≤ 1000000000) Default 1. */
  scale?: number;
  /** Whether features pair within their axis' block (Gemma 4) instead of across all blocks. Default false. */
  separateAxes?: boolean;
  /** Frequencies from float32 steps, rounded to float16 (ChatGLM-6B); angles use `precision`. Default false. */
  float16Frequencies?: boolean;
  /** Frequencies, positions, angles, cosines and sines rounded to float16 (ChatGLM-6B .half()). Default false. */
  float16Angles?: boolean;
}

/** xPos. Source: Sun et al. 2022, arXiv:2212.10554, algorithm 1. */
export interface XposSpec {
  kind: "xpos";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that is rotated; -1: the last features are rotated (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or float32 rounding steps as in PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Number of positions over which magnitudes change by the factor ζ. (unit: positions, ≥ 0.001, ≤ 1000000000000) Default 512. */
  scaleBase?: number;
  /** Position with magnitude 1; null: half the sequence length, rounded. (unit: positions, ≥ -281474976710656, ≤ 281474976710656) Default null. */
  centre?: number | null;
  /** Rounding of the default centre: up (torchscale) or down (FlashAttention, lucidrains). Default "up". */
  centreRounding?: "up" | "down";
}

/** ALiBi. Source: Press et al. 2021, arXiv:2108.12409, section 3. */
export interface AlibiSpec {
  kind: "alibi";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Exponent of the smallest slope, 2^-maxBias (MPT's alibi_bias_max). (≥ 0, ≤ 1000) Default 8. */
  maxBias?: number;
  /** relative -m|i-j|, key m(j - last key) (MPT) or key-absolute m·j (BLOOM). Default "relative". */
  form?: "relative" | "key" | "key-absolute";
  /** Number of heads with a slope; the rest have slope 0 (NeMo). 0: all heads. (unit: heads, ≥ 0, ≤ 65536) Default 0. */
  activeHeads?: number;
  /** Slope of each head; learned in some models. [heads]; default: the initial values of an untrained encoding. */
  slopes?: ParameterData;
}

/** T5 bias. Source: Raffel et al. 2020, arXiv:1910.10683, section 2.1. */
export interface T5Spec {
  kind: "t5";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Number of buckets, both directions together. (unit: buckets, ≥ 2, ≤ 65536) Default 32. */
  buckets?: number;
  /** Smallest distance from which all distances share the last bucket. (unit: positions, ≥ 2, ≤ 1000000000) Default 128. */
  maxDistance?: number;
  /** Whether keys after the query have separate buckets (T5's encoder; its decoder: false). Default true. */
  bidirectional?: boolean;
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** relative_attention_bias.weight of a checkpoint. [buckets, heads]; default: the initial values of an untrained encoding. */
  weights?: ParameterData;
}

/** Swin and BEiT bias. Source: Liu et al. 2021, arXiv:2103.14030, equation 4. */
export interface SwinSpec {
  kind: "swin";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Rows of the window. (unit: patches, ≥ 1, ≤ 4096) */
  windowHeight: number;
  /** Columns of the window. (unit: patches, ≥ 1, ≤ 4096) */
  windowWidth: number;
  /** Whether a class token precedes the patches (BEiT). Default false. */
  classToken?: boolean;
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** relative_position_bias_table of a checkpoint. [displacements, heads]; default: the initial values of an untrained encoding. */
  weights?: ParameterData;
}

/** Swin V2's continuous bias. Source: Liu et al. 2022, arXiv:2111.09883, equations 3 to 5. */
export interface SwinV2Spec {
  kind: "swin-v2";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Rows of the window. (unit: patches, ≥ 1, ≤ 4096) */
  windowHeight: number;
  /** Columns of the window. (unit: patches, ≥ 1, ≤ 4096) */
  windowWidth: number;
  /** Rows of the window that the network was trained on; 0: windowHeight. (unit: patches, ≥ 0, ≤ 4096) Default 0. */
  pretrainedHeight?: number;
  /** Columns of the window that the network was trained on; 0: windowWidth. (unit: patches, ≥ 0, ≤ 4096) Default 0. */
  pretrainedWidth?: number;
  /** Hidden units of the network. (unit: units, ≥ 1, ≤ 65536) Default 512. */
  width?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** First layer (cpb_mlp.0.weight); inputs are rows and columns. [width, 2]; default: the initial values of an untrained encoding. */
  inputWeights?: ParameterData;
  /** First layer (cpb_mlp.0.bias). [width]; default: the initial values of an untrained encoding. */
  inputBias?: ParameterData;
  /** Second layer (cpb_mlp.2.weight). [heads, width]; default: the initial values of an untrained encoding. */
  outputWeights?: ParameterData;
}

/** KERPLE. Source: Chi et al. 2022, arXiv:2205.09921, equations 5 and 6. */
export interface KerpleSpec {
  kind: "kerple";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** log -p ln(1+ad), power -a d^p, weighted (also scores × exp(-a'd^p')), log-power (NeMo). Default "log". */
  form?: "log" | "power" | "weighted" | "log-power";
  /** Whether keys after the query count by their distance; false: as distance 0. Default false. */
  bidirectional?: boolean;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** log: bias_p in the authors' code; power: bias_a; log-power: kerple_b. [heads]; default: the initial values of an untrained encoding. */
  amplitude?: ParameterData;
  /** log: bias_a in the authors' code; log-power: kerple_a. [heads]; default: the initial values of an untrained encoding. */
  rate?: ParameterData;
  /** power, weighted: bias_p in the authors' code; log-power: kerple_p. [heads]; default: the initial values of an untrained encoding. */
  exponent?: ParameterData;
  /** weighted: wei_a in the authors' code. [heads]; default: the initial values of an untrained encoding. */
  weightRate?: ParameterData;
  /** weighted: wei_p in the authors' code. [heads]; default: the initial values of an untrained encoding. */
  weightExponent?: ParameterData;
}

/** Sandwich. Source: Chi et al. 2023, arXiv:2212.10356, equation 5. */
export interface SandwichSpec {
  kind: "sandwich";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Head dimension: twice the number of frequencies. (unit: features, ≥ 2, ≤ 65536) Default 64. */
  dim?: number;
  /** Frequency base of the cosines. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Whether keys after the query count by their distance; false: as distance 0. Default false. */
  bidirectional?: boolean;
}

/** FIRE. Source: Li et al. 2024, arXiv:2310.04418, equations 5 and 19. */
export interface FireSpec {
  kind: "fire";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Hidden units of the network. (unit: units, ≥ 1, ≤ 65536) Default 32. */
  width?: number;
  /** Queries before this position are treated as being at it (init_L). (unit: positions, ≥ 0, ≤ 281474976710656) Default 512. */
  length?: number;
  /** Value added to the divisor. (≥ 1e-30, ≤ 1) Default 0.000001. */
  epsilon?: number;
  /** Whether keys after the query count by their distance; false: as distance 0. Default false. */
  bidirectional?: boolean;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** First layer (mlp.0.weight). [width]; default: the initial values of an untrained encoding. */
  inputWeights?: ParameterData;
  /** First layer (mlp.0.bias). [width]; default: the initial values of an untrained encoding. */
  inputBias?: ParameterData;
  /** Second layer (mlp.2.weight). [heads, width]; default: the initial values of an untrained encoding. */
  outputWeights?: ParameterData;
  /** Second layer (mlp.2.bias). [heads]; default: the initial values of an untrained encoding. */
  outputBias?: ParameterData;
  /** The factor c in ψ(y) = ln(1 + |c y|). [one]; default: the initial values of an untrained encoding. */
  c?: ParameterData;
  /** Learned factor of the threshold `length` (L_multiplier). [one]; default: the initial values of an untrained encoding. */
  lengthFactor?: ParameterData;
}

/** Mask. Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3. */
export interface MaskSpec {
  kind: "mask";
  /** Number of copies of the mask; attention shares one. (unit: heads, ≥ 1, ≤ 65536) Default 1. */
  heads?: number;
  /** Whether keys after the query are masked. Default true. */
  causal?: boolean;
  /** Number of keys before its own position that a query attends to; -1: all. (unit: positions, ≥ -1, ≤ 2147483647) Default -1. */
  windowLeft?: number;
  /** Number of keys after its own position that a query attends to; -1: all. (unit: positions, ≥ -1, ≤ 2147483647) Default -1. */
  windowRight?: number;
  /** Bias of masked keys, such as -10000; null: -Infinity. (≥ -3e+38, ≤ 0) Default null. */
  hidden?: number | null;
}

/** No positional encoding. Source: Kazemnejad et al. 2023, arXiv:2305.19466, section 3. */
export interface NoneSpec {
  kind: "none";
  /** Number of copies of the zeros; attention shares one. (unit: heads, ≥ 1, ≤ 65536) Default 1. */
  heads?: number;
}

/** Shaw's relative positions. Source: Shaw et al. 2018, arXiv:1803.02155, eq. 3 and 4. */
export interface ShawSpec {
  kind: "shaw";
  /** Head dimension. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Distances are clamped to this value in both directions. (unit: positions, ≥ 0, ≤ 1048576) Default 16. */
  maxDistance?: number;
  /** Largest distance of keys before the query; -1: maxDistance. (unit: positions, ≥ -1, ≤ 1048576) Default -1. */
  maxLeft?: number;
  /** Largest distance of keys after the query; -1: maxDistance. (unit: positions, ≥ -1, ≤ 1048576) Default -1. */
  maxRight?: number;
  /** Whether distances also have vectors for the values; false: `values` is [0, dim]. Default true. */
  withValues?: boolean;
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Vectors added to keys, for distances from -maxLeft to maxRight. [distances, dim]; default: the initial values of an untrained encoding. */
  keys?: ParameterData;
  /** Vectors added to values. [distances, dim]; default: the initial values of an untrained encoding. */
  values?: ParameterData;
}

/** NEZHA's relative sinusoids. Source: Wei et al. 2019, arXiv:1909.00204, eq. 4 to 6. */
export interface NezhaSpec {
  kind: "nezha";
  /** Head dimension. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Distances are clamped to this value in both directions. (unit: positions, ≥ 0, ≤ 1048576) Default 64. */
  maxDistance?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Whether the sinusoids are also added to the values. Default true. */
  withValues?: boolean;
}

/** Transformer-XL's relative positions. Source: Dai et al. 2019, arXiv:1901.02860, section 3.3. */
export interface TransformerXlSpec {
  kind: "transformer-xl";
  /** Head dimension. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Number of features of the sinusoids, even; 0: dim times heads. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  modelDim?: number;
  /** Frequency base of the sinusoids. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Distances are clamped to this value (clamp_len); 0: no limit. (unit: positions, ≥ 0, ≤ 281474976710656) Default 0. */
  clampLength?: number;
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Added to queries for products with keys (r_w_bias). [heads, dim]; default: the initial values of an untrained encoding. */
  u?: ParameterData;
  /** Added to queries for products with distances (r_r_bias). [heads, dim]; default: the initial values of an untrained encoding. */
  v?: ParameterData;
  /** Projects sinusoids to keys (r_net.weight). [heads · dim, modelDim]; default: the initial values of an untrained encoding. */
  projection?: ParameterData;
}

/** DeBERTa's disentangled positions. Source: He et al. 2020, arXiv:2006.03654, eq. 4. */
export interface DebertaSpec {
  kind: "deberta";
  /** Head dimension. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Distances are clamped to this value (max_relative_positions). (unit: positions, ≥ 1, ≤ 65536) Default 512. */
  maxDistance?: number;
  /** Buckets per side, logarithmic for far distances (position_buckets; v2, v3: 256); 0: none. (unit: buckets, ≥ 0, ≤ 65536) Default 0. */
  buckets?: number;
  /** Whether q · positionKeys is added (c2p); false: positionKeys is [heads, 0, dim]. Default true. */
  contentToPosition?: boolean;
  /** Whether k · positionQueries is added (p2c); false: positionQueries is [heads, 0, dim]. Default true. */
  positionToContent?: boolean;
  /** Clamp to maxDistance - 1 first (Microsoft); false: one more left bucket (Hugging Face). Default false. */
  clampDistance?: boolean;
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Position keys, multiplied with queries. [heads, 2 · span, dim]; default: the initial values of an untrained encoding. */
  positionKeys?: ParameterData;
  /** Position queries, multiplied with keys. [heads, 2 · span, dim]; default: the initial values of an untrained encoding. */
  positionQueries?: ParameterData;
}

/** Contextual position encoding (CoPE). Source: Golovneva et al. 2024, arXiv:2405.18719, eq. 2 to 5. */
export interface CopeSpec {
  kind: "cope";
  /** Head dimension. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of positions with a vector (npos_max); farther ones count as the last. (unit: positions, ≥ 1, ≤ 1048576) Default 64. */
  maxPosition?: number;
  /** Whether gates use the scores divided by the square root of dim. Default true. */
  scaledGates?: boolean;
  /** Position term scaled like q·k; false: times √dim, undoing the scale (cope-nodiv, paper). Default true. */
  scaledPosition?: boolean;
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 0. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Vector of each position, as columns (pos_emb). [dim, maxPosition]; default: the initial values of an untrained encoding. */
  embedding?: ParameterData;
}

/** Polar coordinate position embedding (PoPE). Source: Gopalakrishnan et al. 2025, arXiv:2509.10534. */
export interface PopeSpec {
  kind: "pope";
  /** Head dimension. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of key heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Leading features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** Frequency base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Phase of each key feature, from -2π to 0. [heads, rotaryDim]; default: the initial values of an untrained encoding. */
  bias?: ParameterData;
}

/** Forgetting attention (FoX). Source: Lin et al. 2025, arXiv:2503.02130, eq. 3 to 5. */
export interface ForgetSpec {
  kind: "forget";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
}

/** Data-dependent ALiBi. Source: x-transformers, DataDependentAlibi; Lin et al. 2025, arXiv:2503.02130. */
export interface DataDependentAlibiSpec {
  kind: "data-dependent-alibi";
  /** Dimension of the layer's input. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Whether keys after the query have separate gates (not causal). Default false. */
  bidirectional?: boolean;
  /** Multiplier of the logarithms of the gates. (≥ -1000000, ≤ 1000000) Default 1. */
  postLogScale?: number;
  /** Bias of the gates before training. (≥ -1000000, ≤ 1000000) Default 5. */
  biasInit?: number;
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Weights of the gates (to_forget_gates.0.weight). [gates, dim]; default: the initial values of an untrained encoding. */
  weight?: ParameterData;
  /** Bias of the gates (to_forget_gates.0.bias). [gates]; default: the initial values of an untrained encoding. */
  bias?: ParameterData;
}

/** Per-row data-dependent ALiBi. Source: x-transformers, PerRowDataDependentAlibi. */
export interface PerRowAlibiSpec {
  kind: "per-row-alibi";
  /** Dimension of the layer's input. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Dimension of the small queries and keys. (unit: features, ≥ 1, ≤ 4096) Default 8. */
  gateDim?: number;
  /** Multiplier of the logarithms of the gates. (≥ -1000000, ≤ 1000000) Default 1. */
  postLogScale?: number;
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Weights of the small queries, then of the small keys (to_forget_gates.0.weight). [outputs, dim]; default: the initial values of an untrained encoding. */
  weight?: ParameterData;
}

/** PaTH attention. Source: Yang et al. 2025, arXiv:2505.16381, eq. 2 and 3. */
export interface PathSpec {
  kind: "path";
  /** Head dimension. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
}

/** GRAPE-A (additive). Source: Zhang et al. 2025, arXiv:2512.07805, section 4. */
export interface GrapeASpec {
  kind: "grape-a";
  /** Head dimension. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Source of the slope: key, query or query-key. Default "key". */
  gates?: "key" | "query" | "query-key";
  /** Whether the directions are normalised to length 1. Default true. */
  normalize?: boolean;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Steepness of each head: ln(1 + e^omega). [heads]; default: the initial values of an untrained encoding. */
  omega?: ParameterData;
  /** Direction that keys are projected on. [heads, dim]; default: the initial values of an untrained encoding. */
  u?: ParameterData;
  /** Direction that queries are projected on. [heads, dim]; default: the initial values of an untrained encoding. */
  v?: ParameterData;
}

/** GRAPE-AP (path integral). Source: Zhang et al. 2025, arXiv:2512.07805, section 5. */
export interface GrapeApSpec {
  kind: "grape-ap";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
}

/** Inkling's relative logits. Source: Thinking Machines 2026, Inkling; transformers, InklingRelativeLogits. */
export interface InklingSpec {
  kind: "inkling";
  /** Number of profiles, and of values in each relative state (d_rel). (unit: features, ≥ 1, ≤ 65536) Default 16. */
  relativeDim?: number;
  /** Number of distances with a bias, from 0 on (rel_extent). (unit: positions, ≥ 1, ≤ 1048576) Default 1024. */
  extent?: number;
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Bias of each profile at each distance (proj). [relativeDim, extent]; default: the initial values of an untrained encoding. */
  profiles?: ParameterData;
}

/** Mixed learnable RoPE (RoPE-Mixed). Source: Heo et al. 2024, arXiv:2403.13298, eq. 10. */
export interface RopeMixedSpec {
  kind: "rope-mixed";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Number of key heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Leading features that are rotated; 0: all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** Number of coordinates per position. (≥ 1, ≤ 4) Default 2. */
  axes?: number;
  /** Axis of each row of frequencies; null: in order (h, w). [1, 0]: x first. (≥ 0, ≤ 3) Default null. */
  axisOrder?: readonly number[] | Float32Array | Float64Array | null;
  /** Frequency base before training. (≥ 1, ≤ 1000000000000000) Default 10. */
  base?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "interleaved". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Radians per position on each axis. [axes, heads, pairs]; default: the initial values of an untrained encoding. */
  frequencies?: ParameterData;
}

/** Fourier position embedding (FoPE). Source: Hua et al. 2024, arXiv:2412.17739, eq. 8. */
export interface FopeSpec {
  kind: "fope";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Number of key heads with their own parameters; 0: all heads share them. (unit: heads, ≥ 0, ≤ 65536) Default 0. */
  heads?: number;
  /** Length of the training sequences. (unit: positions, ≥ 1, ≤ 1000000000000) Default 2048. */
  length?: number;
  /** Frequency base; wavelengths range from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Frequencies below 2π / length: dropped, set to 0 (constant), raised to it, or kept. Default "drop". */
  floor?: "drop" | "zero" | "clamp" | "keep";
  /** Number of frequencies that are mixed; 0: all that `floor` leaves. (≥ 0, ≤ 32768) Default 0. */
  inputDim?: number;
  /** Number of pairs with mixtures; 0: the number of frequencies (authors' code: ≤ dim / 4). (unit: pairs, ≥ 0, ≤ 32768) Default 0. */
  outputDim?: number;
  /** Cosine of the pairs without mixtures. (≥ -1000, ≤ 1000) Default 1. */
  cosinePad?: number;
  /** Sine of the pairs without mixtures: 0 (paper, vLLM) or 1 (authors' code). (≥ -1000, ≤ 1000) Default 0. */
  sinePad?: number;
  /** Whether sines use the mixing coefficients of the cosines. Default false. */
  oneBasis?: boolean;
  /** Gain of the Xavier standard deviation before training. (≥ 0, ≤ 1000000) Default 0.3. */
  gain?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Coefficients of each pair for the sinusoids of all frequencies. [heads, inputDim, outputDim]; default: the initial values of an untrained encoding. */
  cosine?: ParameterData;
  /** Coefficients of each pair for the sinusoids of all frequencies. [heads, inputDim, outputDim]; default: the initial values of an untrained encoding. */
  sine?: ParameterData;
}

/** Multiplicative GRAPE (GRAPE-M). Source: Zhang et al. 2025, arXiv:2512.07805, section 3. */
export interface GrapeMSpec {
  kind: "grape-m";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Number of key heads with their own parameters; 0: all heads share them. (unit: heads, ≥ 0, ≤ 65536) Default 0. */
  heads?: number;
  /** Frequency base before training. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Divisor of the learned logarithms. (≥ 0.000001, ≤ 1000000) Default 1. */
  logScale?: number;
  /** Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** logScale · ln(radians per position). [heads, pairs]; default: the initial values of an untrained encoding. */
  logFrequencies?: ParameterData;
}

/** Lie rotational position encoding (LieRE). Source: Ostmeier et al. 2024, arXiv:2406.10322, section 4. */
export interface LiereSpec {
  kind: "liere";
  /** Head dimension. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Number of key heads with their own parameters; 0: all heads share them. (unit: heads, ≥ 0, ≤ 65536) Default 0. */
  heads?: number;
  /** Number of coordinates per position. (≥ 1, ≤ 4) Default 2. */
  axes?: number;
  /** Features that are rotated together. (unit: features, ≥ 2, ≤ 1024) Default 8. */
  blockDim?: number;
  /** Cells along each axis of the model's image, spanning 0 to 1; null: positions unchanged. (unit: cells, ≥ 1, ≤ 16777216) Default null. */
  modelGrid?: readonly number[] | Float32Array | Float64Array | null;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Learned matrices; only the part above the diagonal is used. [axes, blocks, blockDim, blockDim]; default: the initial values of an untrained encoding. */
  generators?: ParameterData;
}

/** Separable translationally invariant encoding (STRING). Source: Schenck et al. 2025, arXiv:2502.02562, section 3.2. */
export interface StringSpec {
  kind: "string";
  /** Head dimension. (unit: features, ≥ 2, ≤ 4096) */
  dim: number;
  /** Number of key heads with their own parameters; 0: all heads share them. (unit: heads, ≥ 0, ≤ 65536) Default 0. */
  heads?: number;
  /** Number of coordinates per position. (≥ 1, ≤ 4) Default 2. */
  axes?: number;
  /** Construction of the commuting generators. Default "cayley". */
  form?: "cayley" | "circulant";
  /** Form cayley: frequency base before training. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Form cayley: feature pairs, half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "interleaved". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** Standard deviation of the parameters before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** Seed of the initial parameters; the same seed gives the same values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Form cayley: only the elements above the diagonal are used. [heads, dim, dim]; default: the initial values of an untrained encoding. */
  generators?: ParameterData;
  /** Radians per position on each axis. [axes, heads, pairs]; default: the initial values of an untrained encoding. */
  frequencies?: ParameterData;
  /** Form circulant: the generators' first columns. [axes, heads, dim]; default: the initial values of an untrained encoding. */
  coefficients?: ParameterData;
}

/** Any encoding's spec. */
export type Spec =
  | OneHotSpec
  | IntegerSpec
  | NormalizedSpec
  | BinarySpec
  | PeriodicSpec
  | SinusoidalSpec
  | Sinusoidal2dSpec
  | Sinusoidal3dSpec
  | FourierSpec
  | LearnedSpec
  | RopeSpec
  | RopeLinearSpec
  | RopeNtkSpec
  | RopeNtkByPartsSpec
  | RopeDynamicSpec
  | RopeQwenSpec
  | RopeYarnSpec
  | RopeLongropeSpec
  | RopeLlama3Spec
  | RopeProportionalSpec
  | RopeMropeSpec
  | RopeAxialSpec
  | XposSpec
  | AlibiSpec
  | T5Spec
  | SwinSpec
  | SwinV2Spec
  | KerpleSpec
  | SandwichSpec
  | FireSpec
  | MaskSpec
  | NoneSpec
  | ShawSpec
  | NezhaSpec
  | TransformerXlSpec
  | DebertaSpec
  | CopeSpec
  | PopeSpec
  | ForgetSpec
  | DataDependentAlibiSpec
  | PerRowAlibiSpec
  | PathSpec
  | GrapeASpec
  | GrapeApSpec
  | InklingSpec
  | RopeMixedSpec
  | FopeSpec
  | GrapeMSpec
  | LiereSpec
  | StringSpec;

/** Any encoding's kind. */
export type Kind = Spec["kind"];

/** The kinds of each family. */
export interface KindsOf {
  /** A vector for each position, added to or concatenated with the features. */
  table:
    | "one-hot"
    | "integer"
    | "normalized"
    | "binary"
    | "periodic"
    | "sinusoidal"
    | "sinusoidal-2d"
    | "sinusoidal-3d"
    | "fourier"
    | "learned";
  /** Queries and keys rotated by their positions. */
  rotary:
    | "rope"
    | "rope-linear"
    | "rope-ntk"
    | "rope-ntk-by-parts"
    | "rope-dynamic"
    | "rope-qwen"
    | "rope-yarn"
    | "rope-longrope"
    | "rope-llama3"
    | "rope-proportional"
    | "rope-mrope"
    | "rope-axial"
    | "xpos";
  /** Values added to attention scores. */
  bias: "alibi" | "t5" | "swin" | "swin-v2" | "kerple" | "sandwich" | "fire" | "mask" | "none";
  /** Attention scores that depend on queries and keys themselves. */
  relative:
    | "shaw"
    | "nezha"
    | "transformer-xl"
    | "deberta"
    | "cope"
    | "pope"
    | "forget"
    | "data-dependent-alibi"
    | "per-row-alibi"
    | "path"
    | "grape-a"
    | "grape-ap"
    | "inkling"
    | "rope-mixed"
    | "fope"
    | "grape-m"
    | "liere"
    | "string";
}

/** The kinds whose class has more calls than the family's, by the first of these calls. */
export interface KindsWith {
  /** Kinds with `shift`. */
  shift: "sinusoidal";
  /** Kinds with `weights`, `gradient`, `resize`. */
  weights: "learned";
  /** Kinds with `slopes`. */
  slopes: "alibi";
  /** Kinds with `buckets`. */
  buckets: "t5" | "swin-v2";
  /** Kinds with `resize`, `buckets`. */
  resize: "swin";
  /** Kinds with `addTo`, `apply`. */
  addTo: "none";
  /** Kinds with `bucketOf`. */
  bucketOf: "shaw" | "nezha" | "deberta";
  /** Kinds with `contextPositions`. */
  contextPositions: "cope";
  /** Kinds with `expand`. */
  expand: "pope";
  /** Kinds with `logGates`, `logGatesBackward`, `bias`. */
  logGates: "forget" | "data-dependent-alibi";
  /** Kinds with `gateRows`, `gateRowsBackward`, `biasOfRows`. */
  gateRows: "per-row-alibi";
  /** Kinds with `biasOf`. */
  biasOf: "grape-a";
  /** Kinds with `biasOfRows`. */
  biasOfRows: "grape-ap";
  /** Kinds with `relativeLogits`. */
  relativeLogits: "inkling";
  /** Kinds with `apply`, `applyBackward`, `frequencies`. */
  apply: "rope-mixed" | "fope" | "grape-m" | "liere" | "string";
}

/** The families of encodings. */
export type Family = keyof KindsOf;

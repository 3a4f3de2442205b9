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
  /** Length n of the sequence; 0: the number of positions in each call. (unit: positions, ≥ 0, ≤ 2147483647) Default 0. */
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
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** interleaved [s0 c0 s1 c1 …] or concat [s0 s1 … c0 c1 …]. Default "interleaved". */
  pairing?: "interleaved" | "concat";
  /** Which of the two comes first. Default "sin-cos". */
  order?: "sin-cos" | "cos-sin";
  /** Subtracted from dim/2 in the exponent: 0 (paper, DiT) or 1 (fairseq, Whisper). (≥ 0, ≤ 1) Default 0. */
  frequencyShift?: number;
  /** Multiplies positions. (≥ -1000000000, ≤ 1000000000) Default 1. */
  scale?: number;
  /** Added to positions. (unit: positions, ≥ -281474976710656, ≤ 281474976710656) Default 0. */
  start?: number;
  /** An odd dim drops its last cosine, ends in a zero, or takes the frequencies of dim + 1. Default "truncate". */
  oddDim?: "truncate" | "pad" | "round-up";
  /** This position's row is zero (fairseq); -1: none. (≥ -1, ≤ 2147483647) Default -1. */
  paddingIndex?: number;
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
}

/** Sinusoidal, 2-D. Source: Parmar et al. 2018, arXiv:1802.05751, section 3.1. */
export interface Sinusoidal2dSpec {
  kind: "sinusoidal-2d";
  /** Number of features, of all axes together. (unit: features, ≥ 1, ≤ 1048576) */
  dim: number;
  /** Frequency base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Each axis interleaved [s0 c0 s1 …] or concat [s0 s1 … c0 …]; grouped: all sines, then all cosines. Default "interleaved". */
  pairing?: "interleaved" | "concat" | "grouped";
  /** Which of the two comes first. Default "sin-cos". */
  order?: "sin-cos" | "cos-sin";
  /** Subtracted from an axis' waves in the exponent. (≥ 0, ≤ 1) Default 0. */
  frequencyShift?: number;
  /** Without equal shares for the axes: larger ones, cut at the end, or smaller ones and zeros. Default "round-up". */
  unevenDim?: "round-up" | "pad";
  /** Multiplies coordinates. (≥ -1000000000, ≤ 1000000000) Default 1. */
  scale?: number;
  /** Added to positions (DETR: 1). (unit: positions, ≥ -281474976710656, ≤ 281474976710656) Default 0. */
  start?: number;
  /** Divide positions by the grid's last one + eps. Default false. */
  normalize?: boolean;
  /** Keeps normalize from dividing by 0. (≥ 0, ≤ 1) Default 0.000001. */
  eps?: number;
  /** Stretch grids to so many places along each axis; 0: do not. (unit: places, ≥ 0, ≤ 1048576) Default 0. */
  baseSize?: number;
  /** Whose features come first: the row's (yx) or the column's (xy, MAE). Default "yx". */
  axisOrder?: "yx" | "xy";
}

/** Sinusoidal, 3-D. Source: Vaswani et al. 2018, arXiv:1803.07416. */
export interface Sinusoidal3dSpec {
  kind: "sinusoidal-3d";
  /** Number of features, of all axes together. (unit: features, ≥ 1, ≤ 1048576) */
  dim: number;
  /** Frequency base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Each axis interleaved [s0 c0 s1 …] or concat [s0 s1 … c0 …]; grouped: all sines, then all cosines. Default "interleaved". */
  pairing?: "interleaved" | "concat" | "grouped";
  /** Which of the two comes first. Default "sin-cos". */
  order?: "sin-cos" | "cos-sin";
  /** Subtracted from an axis' waves in the exponent. (≥ 0, ≤ 1) Default 0. */
  frequencyShift?: number;
  /** Without equal shares for the axes: larger ones, cut at the end, or smaller ones and zeros. Default "round-up". */
  unevenDim?: "round-up" | "pad";
  /** Multiplies coordinates. (≥ -1000000000, ≤ 1000000000) Default 1. */
  scale?: number;
  /** Added to positions (DETR: 1). (unit: positions, ≥ -281474976710656, ≤ 281474976710656) Default 0. */
  start?: number;
  /** Divide positions by the grid's last one + eps. Default false. */
  normalize?: boolean;
  /** Keeps normalize from dividing by 0. (≥ 0, ≤ 1) Default 0.000001. */
  eps?: number;
  /** Stretch grids to so many places along each axis; 0: do not. (unit: places, ≥ 0, ≤ 1048576) Default 0. */
  baseSize?: number;
  /** The axes' order in a row; positions come as frame, row, column. Default "tyx". */
  axisOrder?: "tyx" | "txy" | "xyt";
  /** Features of the frame (diffusers: dim / 4), even; 0: an equal share. (unit: features, ≥ 0, ≤ 1048576) Default 0. */
  temporalDim?: number;
  /** Multiplies the frame's coordinates; null: as scale. (≥ -1000000000, ≤ 1000000000) Default null. */
  temporalScale?: number | null;
}

/** Fourier features. Source: Tancik et al. 2020, arXiv:2006.10739. */
export interface FourierSpec {
  kind: "fourier";
  /** Number of features. (unit: features, ≥ 2, ≤ 1048576) */
  dim: number;
  /** Coordinates of a place. (unit: coordinates, ≥ 1, ≤ 4) Default 1. */
  inputs?: number;
  /** gaussian: all coordinates mixed; else each at its own bands. Default "gaussian". */
  form?: "gaussian" | "geometric" | "linear";
  /** The fastest band, in half turns per unit; 0: powers of two, or as many as there are bands. (≥ 0, ≤ 1000000000000) Default 0. */
  maxFrequency?: number;
  /** Positions as they are, or -1 to 1 over the grid: its cells' centres or its end points. Default "index". */
  coordinates?: "index" | "centres" | "endpoints";
  /** Multiplies coordinates. (≥ -1000000000, ≤ 1000000000) Default 1. */
  scale?: number;
  /** Begin the row with the coordinates themselves. Default false. */
  includeInput?: boolean;
  /** grouped: all sines, then all cosines; for each coordinate interleaved or concat; banded: for each band. Default "grouped". */
  pairing?: "interleaved" | "concat" | "grouped" | "banded";
  /** Which of the two comes first. Default "sin-cos". */
  order?: "sin-cos" | "cos-sin";
  /** Which axis is the first coordinate: the first (yx) or the last (xy, SAM). Default "yx". */
  axisOrder?: "yx" | "xy";
  /** Standard deviation of the values before training. (≥ 0, ≤ 1000000) Default 1. */
  std?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Turns per unit of each coordinate. [inputs, waves]; without it, the numbers that an untrained encoding has. */
  frequencies?: ParameterData;
}

/** Learned table. Source: Gehring et al. 2017, arXiv:1705.03122, section 3.1. */
export interface LearnedSpec {
  kind: "learned";
  /** Number of rows, those that are skipped among them. (unit: rows, ≥ 1, ≤ 2147483647) */
  length: number;
  /** Number of features. (unit: features, ≥ 1, ≤ 1048576) */
  dim: number;
  /** Rows that are skipped: position 0 reads this one (RoBERTa, OPT, BART: 2). (unit: rows, ≥ 0, ≤ 2147483646) Default 0. */
  start?: number;
  /** Standard deviation of the values before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** A row for each position. [length, dim]; without it, the numbers that an untrained encoding has. */
  weights?: ParameterData;
}

/** Rotary position embedding (RoPE). Source: Su et al. 2021, arXiv:2104.09864, eq. 15. */
export interface RopeSpec {
  kind: "rope";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that turn by each axis of a place (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks. Default false. */
  interleavedSections?: boolean;
  /** The axis of each pair, where sections cannot tell it (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Radians per position of each pair, in place of those of the base; these can be trained. (≥ 0, ≤ 1000000) Default null. */
  frequencies?: readonly number[] | Float32Array | Float64Array | null;
}

/** RoPE with position interpolation. Source: Chen et al. 2023, arXiv:2306.15595, eq. 4. */
export interface RopeLinearSpec {
  kind: "rope-linear";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that turn by each axis of a place (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks. Default false. */
  interleavedSections?: boolean;
  /** The axis of each pair, where sections cannot tell it (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** How many times longer the context becomes (s). (≥ 1, ≤ 1000000000) */
  factor: number;
}

/** RoPE with NTK-aware scaling. Source: Peng et al. 2023, arXiv:2309.00071, section 3.1. */
export interface RopeNtkSpec {
  kind: "rope-ntk";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that turn by each axis of a place (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks. Default false. */
  interleavedSections?: boolean;
  /** The axis of each pair, where sections cannot tell it (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** How many times longer the context becomes (s). (≥ 1, ≤ 1000000000) */
  factor: number;
}

/** RoPE with NTK-by-parts scaling. Source: Peng et al. 2023, arXiv:2309.00071, section 3.2. */
export interface RopeNtkByPartsSpec {
  kind: "rope-ntk-by-parts";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that turn by each axis of a place (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks. Default false. */
  interleavedSections?: boolean;
  /** The axis of each pair, where sections cannot tell it (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** How many times longer the context becomes (s). (≥ 1, ≤ 1000000000) */
  factor: number;
  /** Context length of the training (L0). (unit: positions, ≥ 1, ≤ 1000000000000) */
  originalLength: number;
}

/** RoPE with dynamic NTK scaling. Source: Peng et al. 2023, arXiv:2309.00071, section 3.3. */
export interface RopeDynamicSpec {
  kind: "rope-dynamic";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that turn by each axis of a place (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks. Default false. */
  interleavedSections?: boolean;
  /** The axis of each pair, where sections cannot tell it (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** How many times longer the context becomes (s). (≥ 1, ≤ 1000000000) */
  factor: number;
  /** Context length of the training (L0). (unit: positions, ≥ 1, ≤ 1000000000000) */
  originalLength: number;
}

/** RoPE with Qwen's dynamic NTK scaling. Source: Bai et al. 2023, arXiv:2309.16609, section 2.3. */
export interface RopeQwenSpec {
  kind: "rope-qwen";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that turn by each axis of a place (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks. Default false. */
  interleavedSections?: boolean;
  /** The axis of each pair, where sections cannot tell it (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Context length of the training (L0). (unit: positions, ≥ 1, ≤ 1000000000000) */
  originalLength: number;
}

/** YaRN. Source: Peng et al. 2023, arXiv:2309.00071, eq. 20-23. */
export interface RopeYarnSpec {
  kind: "rope-yarn";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that turn by each axis of a place (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks. Default false. */
  interleavedSections?: boolean;
  /** The axis of each pair, where sections cannot tell it (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** How many times longer the context becomes (s). (≥ 1, ≤ 1000000000) */
  factor: number;
  /** Context length of the training (L0). (unit: positions, ≥ 1, ≤ 1000000000000) */
  originalLength: number;
  /** Pairs that turn at least this often in L0 positions stay. (unit: turns, ≥ 0.000001, ≤ 1000000000) Default 32. */
  betaFast?: number;
  /** Pairs that turn at most this often are interpolated. (unit: turns, ≥ 0.000001, ≤ 1000000000) Default 1. */
  betaSlow?: number;
  /** Round the ramp's ends to whole pairs (gpt-oss does not). Default true. */
  truncate?: boolean;
  /** Weight of the magnitude correction (DeepSeek); 0: not given. (≥ 0, ≤ 100) Default 0. */
  mscale?: number;
  /** Divisor of the magnitude correction (DeepSeek); 0: not given. (≥ 0, ≤ 100) Default 0. */
  mscaleAllDim?: number;
  /** Magnitude of cos and sin; null: by the formula. (≥ 0.000001, ≤ 1000000) Default null. */
  attentionFactor?: number | null;
}

/** LongRoPE. Source: Ding et al. 2024, arXiv:2402.13753, eq. 3. */
export interface RopeLongropeSpec {
  kind: "rope-longrope";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that turn by each axis of a place (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks. Default false. */
  interleavedSections?: boolean;
  /** The axis of each pair, where sections cannot tell it (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** Divisor of each pair up to originalLength (one number: for all). (≥ 0.000001, ≤ 1000000000) */
  shortFactor: readonly number[] | Float32Array | Float64Array;
  /** Divisor of each pair beyond originalLength (one number: for all). (≥ 0.000001, ≤ 1000000000) */
  longFactor: readonly number[] | Float32Array | Float64Array;
  /** Context length of the training (L0). (unit: positions, ≥ 2, ≤ 1000000000000) */
  originalLength: number;
  /** How many times longer the context becomes (s). (≥ 1, ≤ 1000000000) Default 1. */
  factor?: number;
  /** Magnitude of cos and sin; null: by the formula. (≥ 0.000001, ≤ 1000000) Default null. */
  attentionFactor?: number | null;
}

/** RoPE with Llama 3 scaling. Source: Meta 2024, arXiv:2407.21783. */
export interface RopeLlama3Spec {
  kind: "rope-llama3";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that turn by each axis of a place (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks. Default false. */
  interleavedSections?: boolean;
  /** The axis of each pair, where sections cannot tell it (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** How many times longer the context becomes (s). (≥ 1, ≤ 1000000000) */
  factor: number;
  /** Pairs that turn less often than this in L0 positions are divided by s. (unit: turns, ≥ 0.000001, ≤ 1000000000) Default 1. */
  lowFrequencyFactor?: number;
  /** Pairs that turn more often than this stay. (unit: turns, ≥ 0.000001, ≤ 1000000000) Default 4. */
  highFrequencyFactor?: number;
  /** Context length of the training (L0). (unit: positions, ≥ 1, ≤ 1000000000000) */
  originalLength: number;
}

/** RoPE on a share of the pairs. Source: Hugging Face Transformers 2026. */
export interface RopeProportionalSpec {
  kind: "rope-proportional";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that turn by each axis of a place (t, h, w); null: one axis. (unit: pairs, ≥ 0, ≤ 65536) Default null. */
  sections?: readonly number[] | Float32Array | Float64Array | null;
  /** Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks. Default false. */
  interleavedSections?: boolean;
  /** The axis of each pair, where sections cannot tell it (ERNIE 4.5). (≥ 0, ≤ 3) Default null. */
  axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
  /** How many times longer the context becomes (s). (≥ 1, ≤ 1000000000) Default 1. */
  factor?: number;
}

/** Multimodal RoPE (M-RoPE). Source: Wang et al. 2024, arXiv:2409.12191, section 2.1. */
export interface RopeMropeSpec {
  kind: "rope-mrope";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Pairs that turn by each axis of a place (t, h, w); they sum to all pairs. (unit: pairs, ≥ 0, ≤ 65536) */
  sections: readonly number[] | Float32Array | Float64Array;
  /** Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks. Default false. */
  interleavedSections?: boolean;
}

/** Axial RoPE (2-D, 3-D). Source: Heo et al. 2024, arXiv:2403.13298, eq. 9. */
export interface RopeAxialSpec {
  kind: "rope-axial";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Axes of a place. (≥ 2, ≤ 4) Default 2. */
  axes?: number;
  /** Features of each block; null: equal ones. (unit: features, ≥ 2, ≤ 65536) Default null. */
  axisDims?: readonly number[] | Float32Array | Float64Array | null;
  /** The axis each block turns by; null: in order (h, w). [1, 0]: x first. (≥ 0, ≤ 3) Default null. */
  axisOrder?: readonly number[] | Float32Array | Float64Array | null;
  /** own frequencies for each axis, one table strided over them (Pixtral), or pixel. Default "own". */
  form?: "own" | "strided" | "pixel";
  /** Form pixel: twice the fastest frequency, in π. (≥ 2, ≤ 1000000) Default 10. */
  maxFrequency?: number;
  /** Positions as they are (index), linspace(-1, 1) with its endpoints, or cell centres of [-1, 1] (DINOv3). Default "index". */
  coordinates?: "index" | "endpoints" | "centres";
  /** Added to scaled coordinates (Llama 4: 1). (≥ -281474976710656, ≤ 281474976710656) Default 0. */
  start?: number;
  /** Multiplies coordinates (DINOv3: 2π). (≥ -1000000000, ≤ 1000000000) Default 1. */
  scale?: number;
  /** Features pair within their axis' block (Gemma 4), not across all of them. Default false. */
  separateAxes?: boolean;
  /** Frequencies by float32 steps, rounded to float16 (ChatGLM-6B); angles by their precision. Default false. */
  float16Frequencies?: boolean;
  /** The same, and positions, angles, cosines and sines rounded to float16 (ChatGLM-6B's .half()). Default false. */
  float16Angles?: boolean;
}

/** xPos. Source: Sun et al. 2022, arXiv:2212.10554, algorithm 1. */
export interface XposSpec {
  kind: "xpos";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** First feature that turns; -1: the last ones turn (DeepSeek-V4). (unit: features, ≥ -1, ≤ 65536) Default 0. */
  rotaryStart?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** exact angles, or the float32 steps of PyTorch. Default "exact". */
  precision?: "exact" | "float32";
  /** Divisor of each pair's frequency (ggml's freq_factors). (≥ 0.000001, ≤ 1000000000) Default null. */
  frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
  /** Positions over which magnitudes change by ζ. (unit: positions, ≥ 0.001, ≤ 1000000000000) Default 512. */
  scaleBase?: number;
  /** Position with magnitude 1; null: half the sequence length, rounded. (unit: positions, ≥ -281474976710656, ≤ 281474976710656) Default null. */
  centre?: number | null;
  /** up as in torchscale, down as in FlashAttention and lucidrains. Default "up". */
  centreRounding?: "up" | "down";
}

/** ALiBi. Source: Press et al. 2021, arXiv:2108.12409, section 3. */
export interface AlibiSpec {
  kind: "alibi";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Slopes run down to 2^-maxBias (MPT's alibi_bias_max). (≥ 0, ≤ 1000) Default 8. */
  maxBias?: number;
  /** relative -m|i-j|, key m(j - last key) (MPT) or key-absolute m·j (BLOOM). Default "relative". */
  form?: "relative" | "key" | "key-absolute";
  /** Heads that get a slope, the others 0 (NeMo); 0: all. (unit: heads, ≥ 0, ≤ 65536) Default 0. */
  activeHeads?: number;
  /** Slope of each head; learned in some models. [heads]; without it, the numbers that an untrained encoding has. */
  slopes?: ParameterData;
}

/** T5 bias. Source: Raffel et al. 2020, arXiv:1910.10683, section 2.1. */
export interface T5Spec {
  kind: "t5";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Number of buckets, both sides together. (unit: buckets, ≥ 2, ≤ 65536) Default 32. */
  buckets?: number;
  /** Distances from here on share the last bucket. (unit: positions, ≥ 2, ≤ 1000000000) Default 128. */
  maxDistance?: number;
  /** Keys ahead of the query have buckets of their own (T5's encoder); false for its decoder. Default true. */
  bidirectional?: boolean;
  /** Standard deviation of the values before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** relative_attention_bias.weight of a checkpoint. [buckets, heads]; without it, the numbers that an untrained encoding has. */
  weights?: ParameterData;
}

/** Swin and BEiT bias. Source: Liu et al. 2021, arXiv:2103.14030, equation 4. */
export interface SwinSpec {
  kind: "swin";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Rows of the window. (unit: places, ≥ 1, ≤ 4096) */
  windowHeight: number;
  /** Columns of the window. (unit: places, ≥ 1, ≤ 4096) */
  windowWidth: number;
  /** A class token stands before the patches (BEiT). Default false. */
  classToken?: boolean;
  /** Standard deviation of the values before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** relative_position_bias_table of a checkpoint. [displacements, heads]; without it, the numbers that an untrained encoding has. */
  weights?: ParameterData;
}

/** Swin V2's continuous bias. Source: Liu et al. 2022, arXiv:2111.09883, equations 3 to 5. */
export interface SwinV2Spec {
  kind: "swin-v2";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Rows of the window. (unit: places, ≥ 1, ≤ 4096) */
  windowHeight: number;
  /** Columns of the window. (unit: places, ≥ 1, ≤ 4096) */
  windowWidth: number;
  /** Rows of the window that the network was trained on; 0: as this one's. (unit: places, ≥ 0, ≤ 4096) Default 0. */
  pretrainedHeight?: number;
  /** Its columns; 0: as this one's. (unit: places, ≥ 0, ≤ 4096) Default 0. */
  pretrainedWidth?: number;
  /** Hidden units of the network. (unit: units, ≥ 1, ≤ 65536) Default 512. */
  width?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** First layer (cpb_mlp.0.weight), of rows and columns. [width, 2]; without it, the numbers that an untrained encoding has. */
  inputWeights?: ParameterData;
  /** First layer (cpb_mlp.0.bias). [width]; without it, the numbers that an untrained encoding has. */
  inputBias?: ParameterData;
  /** Second layer (cpb_mlp.2.weight). [heads, width]; without it, the numbers that an untrained encoding has. */
  outputWeights?: ParameterData;
}

/** KERPLE. Source: Chi et al. 2022, arXiv:2205.09921, equations 5 and 6. */
export interface KerpleSpec {
  kind: "kerple";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** log -p ln(1 + a d), power -a d^p, weighted (power, and scores times exp(-a' d^p')) or log-power -b ln(1 + a d^p) (NeMo). Default "log". */
  form?: "log" | "power" | "weighted" | "log-power";
  /** Keys after the query count by their distance, too (true), or as distance 0 (false). Default false. */
  bidirectional?: boolean;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** log: bias_p of the authors; power: bias_a; log-power: kerple_b. [heads]; without it, the numbers that an untrained encoding has. */
  amplitude?: ParameterData;
  /** log: bias_a of the authors; log-power: kerple_a. [heads]; without it, the numbers that an untrained encoding has. */
  rate?: ParameterData;
  /** power, weighted: bias_p of the authors; log-power: kerple_p. [heads]; without it, the numbers that an untrained encoding has. */
  exponent?: ParameterData;
  /** weighted: wei_a of the authors. [heads]; without it, the numbers that an untrained encoding has. */
  weightRate?: ParameterData;
  /** weighted: wei_p of the authors. [heads]; without it, the numbers that an untrained encoding has. */
  weightExponent?: ParameterData;
}

/** Sandwich. Source: Chi et al. 2023, arXiv:2212.10356, equation 5. */
export interface SandwichSpec {
  kind: "sandwich";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Width of a head: twice the number of waves. (unit: features, ≥ 2, ≤ 65536) Default 64. */
  dim?: number;
  /** Frequency base of the waves. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Keys after the query count by their distance, too (true), or as distance 0 (false). Default false. */
  bidirectional?: boolean;
}

/** FIRE. Source: Li et al. 2024, arXiv:2310.04418, equations 5 and 19. */
export interface FireSpec {
  kind: "fire";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Hidden units of the network. (unit: units, ≥ 1, ≤ 65536) Default 32. */
  width?: number;
  /** Queries nearer to the start count as standing here (init_L). (unit: positions, ≥ 0, ≤ 281474976710656) Default 512. */
  length?: number;
  /** Added to the divisor. (≥ 1e-30, ≤ 1) Default 0.000001. */
  epsilon?: number;
  /** Keys after the query count by their distance, too (true), or as distance 0 (false). Default false. */
  bidirectional?: boolean;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** First layer (mlp.0.weight). [width]; without it, the numbers that an untrained encoding has. */
  inputWeights?: ParameterData;
  /** First layer (mlp.0.bias). [width]; without it, the numbers that an untrained encoding has. */
  inputBias?: ParameterData;
  /** Second layer (mlp.2.weight). [heads, width]; without it, the numbers that an untrained encoding has. */
  outputWeights?: ParameterData;
  /** Second layer (mlp.2.bias). [heads]; without it, the numbers that an untrained encoding has. */
  outputBias?: ParameterData;
  /** How fast near distances spread. [one]; without it, the numbers that an untrained encoding has. */
  c?: ParameterData;
  /** The threshold is length times this (L_multiplier). [one]; without it, the numbers that an untrained encoding has. */
  lengthFactor?: ParameterData;
}

/** Mask. Source: Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3. */
export interface MaskSpec {
  kind: "mask";
  /** Copies of the mask; attention shares one. (unit: heads, ≥ 1, ≤ 65536) Default 1. */
  heads?: number;
  /** Hides keys after the query. Default true. */
  causal?: boolean;
  /** How many keys before its own place a query sees; -1: all. (unit: positions, ≥ -1, ≤ 2147483647) Default -1. */
  windowLeft?: number;
  /** How many keys after its own place a query sees; -1: all. (unit: positions, ≥ -1, ≤ 2147483647) Default -1. */
  windowRight?: number;
  /** What stands for a hidden key, such as -10000; null: -Infinity. (≥ -3e+38, ≤ 0) Default null. */
  hidden?: number | null;
}

/** No positional encoding. Source: Kazemnejad et al. 2023, arXiv:2305.19466, section 3. */
export interface NoneSpec {
  kind: "none";
  /** Copies of the zeros; attention shares one. (unit: heads, ≥ 1, ≤ 65536) Default 1. */
  heads?: number;
}

/** Shaw's relative positions. Source: Shaw et al. 2018, arXiv:1803.02155, eq. 3 and 4. */
export interface ShawSpec {
  kind: "shaw";
  /** Width of a head. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Farther keys count as this far, on both sides. (unit: positions, ≥ 0, ≤ 1048576) Default 16. */
  maxDistance?: number;
  /** The same for keys before the query alone; -1: maxDistance. (unit: positions, ≥ -1, ≤ 1048576) Default -1. */
  maxLeft?: number;
  /** The same for keys after the query alone; -1: maxDistance. (unit: positions, ≥ -1, ≤ 1048576) Default -1. */
  maxRight?: number;
  /** Distances have vectors for the values, too; else values is [0, dim]. Default true. */
  withValues?: boolean;
  /** Standard deviation of the values before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** What joins the keys, from -maxLeft to maxRight. [distances, dim]; without it, the numbers that an untrained encoding has. */
  keys?: ParameterData;
  /** What joins the values. [distances, dim]; without it, the numbers that an untrained encoding has. */
  values?: ParameterData;
}

/** NEZHA's relative sinusoids. Source: Wei et al. 2019, arXiv:1909.00204, eq. 4 to 6. */
export interface NezhaSpec {
  kind: "nezha";
  /** Width of a head. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Farther keys count as this far, on both sides. (unit: positions, ≥ 0, ≤ 1048576) Default 64. */
  maxDistance?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Values are joined by the rows, too. Default true. */
  withValues?: boolean;
}

/** Transformer-XL's relative positions. Source: Dai et al. 2019, arXiv:1901.02860, section 3.3. */
export interface TransformerXlSpec {
  kind: "transformer-xl";
  /** Width of a head. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Width of the sinusoids, even; 0: dim times heads. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  modelDim?: number;
  /** Frequency base of the sinusoids. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Farther keys count as this far (clamp_len); 0: no limit. (unit: positions, ≥ 0, ≤ 281474976710656) Default 0. */
  clampLength?: number;
  /** Standard deviation of the values before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Joins queries against contents (r_w_bias). [heads, dim]; without it, the numbers that an untrained encoding has. */
  u?: ParameterData;
  /** Joins queries against distances (r_r_bias). [heads, dim]; without it, the numbers that an untrained encoding has. */
  v?: ParameterData;
  /** Makes keys of sinusoids (r_net.weight). [heads · dim, modelDim]; without it, the numbers that an untrained encoding has. */
  projection?: ParameterData;
}

/** DeBERTa's disentangled positions. Source: He et al. 2020, arXiv:2006.03654, eq. 4. */
export interface DebertaSpec {
  kind: "deberta";
  /** Width of a head. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Farther keys count as this far (max_relative_positions). (unit: positions, ≥ 1, ≤ 65536) Default 512. */
  maxDistance?: number;
  /** Far distances share logarithmic buckets, so many on each side (position_buckets; 256 in v2 and v3); 0: none. (unit: buckets, ≥ 0, ≤ 65536) Default 0. */
  buckets?: number;
  /** Queries meet positionKeys (c2p); else these are [heads, 0, dim]. Default true. */
  contentToPosition?: boolean;
  /** Keys meet positionQueries (p2c); else these are [heads, 0, dim]. Default true. */
  positionToContent?: boolean;
  /** Distances end at maxDistance - 1 before buckets, as in Microsoft's code; Hugging Face's has one more bucket on the left. Default false. */
  clampDistance?: boolean;
  /** Standard deviation of the values before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** What queries meet. [heads, 2 · span, dim]; without it, the numbers that an untrained encoding has. */
  positionKeys?: ParameterData;
  /** What keys meet. [heads, 2 · span, dim]; without it, the numbers that an untrained encoding has. */
  positionQueries?: ParameterData;
}

/** Contextual position encoding (CoPE). Source: Golovneva et al. 2024, arXiv:2405.18719, eq. 2 to 5. */
export interface CopeSpec {
  kind: "cope";
  /** Width of a head. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** How many positions have a vector (npos_max); farther ones count as the last. (unit: positions, ≥ 1, ≤ 1048576) Default 64. */
  maxPosition?: number;
  /** Gates see the scores divided by the square root of dim. Default true. */
  scaledGates?: boolean;
  /** The position's part is scaled like the contents; if not, it comes times the square root of dim, which attention's scale takes away (cope-nodiv, the paper's listing). Default true. */
  scaledPosition?: boolean;
  /** Standard deviation of the values before training. (≥ 0, ≤ 1000000) Default 0. */
  std?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** The vector of each position, as columns (pos_emb). [dim, maxPosition]; without it, the numbers that an untrained encoding has. */
  embedding?: ParameterData;
}

/** Polar coordinate position embedding (PoPE). Source: Gopalakrishnan et al. 2025, arXiv:2509.10534. */
export interface PopeSpec {
  kind: "pope";
  /** Width of a head. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of key heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Leading features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** Frequency base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** The phase of each key feature, from -2π to 0. [heads, rotaryDim]; without it, the numbers that an untrained encoding has. */
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
  /** Width of the layer's input. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Keys after the query have gates of their own (not causal). Default false. */
  bidirectional?: boolean;
  /** Multiplies the logarithms of the gates. (≥ -1000000, ≤ 1000000) Default 1. */
  postLogScale?: number;
  /** The bias of the gates before training. (≥ -1000000, ≤ 1000000) Default 5. */
  biasInit?: number;
  /** Standard deviation of the values before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** What the gates read (to_forget_gates.0.weight). [gates, dim]; without it, the numbers that an untrained encoding has. */
  weight?: ParameterData;
  /** How far they are open at 0 (to_forget_gates.0.bias). [gates]; without it, the numbers that an untrained encoding has. */
  bias?: ParameterData;
}

/** Per-row data-dependent ALiBi. Source: x-transformers, PerRowDataDependentAlibi. */
export interface PerRowAlibiSpec {
  kind: "per-row-alibi";
  /** Width of the layer's input. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Width of the small queries and keys. (unit: features, ≥ 1, ≤ 4096) Default 8. */
  gateDim?: number;
  /** Multiplies the logarithms of the gates. (≥ -1000000, ≤ 1000000) Default 1. */
  postLogScale?: number;
  /** Standard deviation of the values before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Makes the small queries, then the keys (to_forget_gates.0.weight). [numbers, dim]; without it, the numbers that an untrained encoding has. */
  weight?: ParameterData;
}

/** PaTH attention. Source: Yang et al. 2025, arXiv:2505.16381, eq. 2 and 3. */
export interface PathSpec {
  kind: "path";
  /** Width of a head. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
}

/** GRAPE-A (additive). Source: Zhang et al. 2025, arXiv:2512.07805, section 4. */
export interface GrapeASpec {
  kind: "grape-a";
  /** Width of a head. (unit: features, ≥ 1, ≤ 65536) */
  dim: number;
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** What sets the slope: key, query or query-key. Default "key". */
  gates?: "key" | "query" | "query-key";
  /** The directions count as if of length 1. Default true. */
  normalize?: boolean;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** How steep a head is: ln(1 + e^omega). [heads]; without it, the numbers that an untrained encoding has. */
  omega?: ParameterData;
  /** What keys are read by. [heads, dim]; without it, the numbers that an untrained encoding has. */
  u?: ParameterData;
  /** What queries are read by. [heads, dim]; without it, the numbers that an untrained encoding has. */
  v?: ParameterData;
}

/** GRAPE-AP (path integral). Source: Zhang et al. 2025, arXiv:2512.07805, section 5. */
export interface GrapeApSpec {
  kind: "grape-ap";
  /** Number of attention heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
}

/** Mixed learnable RoPE (RoPE-Mixed). Source: Heo et al. 2024, arXiv:2403.13298, eq. 10. */
export interface RopeMixedSpec {
  kind: "rope-mixed";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Number of key heads. (unit: heads, ≥ 1, ≤ 65536) */
  heads: number;
  /** Leading features that turn; 0 means all of them. (unit: features, ≥ 0, ≤ 65536) Default 0. */
  rotaryDim?: number;
  /** Numbers that make a place. (≥ 1, ≤ 4) Default 2. */
  axes?: number;
  /** The axis of places that each row of frequencies is for; null: in order (h, w). [1, 0]: x first. (≥ 0, ≤ 3) Default null. */
  axisOrder?: readonly number[] | Float32Array | Float64Array | null;
  /** Frequency base before training. (≥ 1, ≤ 1000000000000000) Default 10. */
  base?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "interleaved". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Radians per position on each axis. [axes, heads, pairs]; without it, the numbers that an untrained encoding has. */
  frequencies?: ParameterData;
}

/** Fourier position embedding (FoPE). Source: Hua et al. 2024, arXiv:2412.17739, eq. 8. */
export interface FopeSpec {
  kind: "fope";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Key heads that have numbers of their own; 0: all heads share them. (unit: heads, ≥ 0, ≤ 65536) Default 0. */
  heads?: number;
  /** Length of the training's sequences. (unit: positions, ≥ 1, ≤ 1000000000000) Default 2048. */
  length?: number;
  /** Frequency base; wavelengths run from 2π to about 2π·base. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Frequencies below 2π / length: dropped, 0 (constant), raised to that, or kept. Default "drop". */
  floor?: "drop" | "zero" | "clamp" | "keep";
  /** How many frequencies are mixed; 0: all that `floor` leaves. (≥ 0, ≤ 32768) Default 0. */
  inputDim?: number;
  /** How many pairs have mixtures; 0: as many as waves are mixed (in the authors' code at most dim / 4). (unit: pairs, ≥ 0, ≤ 32768) Default 0. */
  outputDim?: number;
  /** Cosine of the other pairs. (≥ -1000, ≤ 1000) Default 1. */
  cosinePad?: number;
  /** Their sine: 0 as in the paper and vLLM, 1 as in the authors' code. (≥ -1000, ≤ 1000) Default 0. */
  sinePad?: number;
  /** Sines are mixed by the coefficients of cosines. Default false. */
  oneBasis?: boolean;
  /** Of Xavier's deviation before training. (≥ 0, ≤ 1000000) Default 0.3. */
  gain?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** What a pair has of each wave. [heads, inputDim, outputDim]; without it, the numbers that an untrained encoding has. */
  cosine?: ParameterData;
  /** What a pair has of each wave. [heads, inputDim, outputDim]; without it, the numbers that an untrained encoding has. */
  sine?: ParameterData;
}

/** Multiplicative GRAPE (GRAPE-M). Source: Zhang et al. 2025, arXiv:2512.07805, section 3. */
export interface GrapeMSpec {
  kind: "grape-m";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Key heads that have numbers of their own; 0: all heads share them. (unit: heads, ≥ 0, ≤ 65536) Default 0. */
  heads?: number;
  /** Frequency base before training. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Divides the learned logarithms. (≥ 0.000001, ≤ 1000000) Default 1. */
  logScale?: number;
  /** Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "half". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** logScale · ln(radians per position). [heads, pairs]; without it, the numbers that an untrained encoding has. */
  logFrequencies?: ParameterData;
}

/** Lie rotational position encoding (LieRE). Source: Ostmeier et al. 2024, arXiv:2406.10322, section 4. */
export interface LiereSpec {
  kind: "liere";
  /** Width of a head. (unit: features, ≥ 2, ≤ 65536) */
  dim: number;
  /** Key heads that have numbers of their own; 0: all heads share them. (unit: heads, ≥ 0, ≤ 65536) Default 0. */
  heads?: number;
  /** Numbers that make a place. (≥ 1, ≤ 4) Default 2. */
  axes?: number;
  /** Features that turn together. (unit: features, ≥ 2, ≤ 1024) Default 8. */
  blockDim?: number;
  /** Places of the model's image along each axis, which span 0 to 1; null: positions as they are. (unit: places, ≥ 1, ≤ 16777216) Default null. */
  modelGrid?: readonly number[] | Float32Array | Float64Array | null;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** What is above the diagonal counts. [axes, blocks, blockDim, blockDim]; without it, the numbers that an untrained encoding has. */
  generators?: ParameterData;
}

/** Separable translationally invariant encoding (STRING). Source: Schenck et al. 2025, arXiv:2502.02562, section 3.2. */
export interface StringSpec {
  kind: "string";
  /** Width of a head. (unit: features, ≥ 2, ≤ 4096) */
  dim: number;
  /** Key heads that have numbers of their own; 0: all heads share them. (unit: heads, ≥ 0, ≤ 65536) Default 0. */
  heads?: number;
  /** Numbers that make a place. (≥ 1, ≤ 4) Default 2. */
  axes?: number;
  /** How generators are made that commute. Default "cayley". */
  form?: "cayley" | "circulant";
  /** Form cayley: frequency base before training. (≥ 1, ≤ 1000000000000000) Default 10000. */
  base?: number;
  /** Form cayley: features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]. Default "interleaved". */
  pairing?: "half" | "interleaved" | "interleaved-to-half";
  /** Standard deviation of the values before training. (≥ 0, ≤ 1000000) Default 0.02. */
  std?: number;
  /** The same seed gives the same first values. (≥ 0, ≤ 2147483647) Default 0. */
  seed?: number;
  /** Form cayley: what is above the diagonal counts. [heads, dim, dim]; without it, the numbers that an untrained encoding has. */
  generators?: ParameterData;
  /** Radians per position on each axis. [axes, heads, pairs]; without it, the numbers that an untrained encoding has. */
  frequencies?: ParameterData;
  /** Form circulant: the generators' first columns. [axes, heads, dim]; without it, the numbers that an untrained encoding has. */
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
  | RopeMixedSpec
  | FopeSpec
  | GrapeMSpec
  | LiereSpec
  | StringSpec;

/** Any encoding's kind. */
export type Kind = Spec["kind"];

/** The kinds of each family. */
export interface KindsOf {
  /** A vector for each position, added to or set beside the features. */
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
  /** Queries and keys turned by their positions. */
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
  /** Numbers added to attention scores. */
  bias: "alibi" | "t5" | "swin" | "swin-v2" | "kerple" | "sandwich" | "fire" | "mask" | "none";
  /** Attention scores that need the queries and keys themselves. */
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
    | "rope-mixed"
    | "fope"
    | "grape-m"
    | "liere"
    | "string";
}

/** The kinds whose class has calls that the family's has not, by the first of these. */
export interface KindsWith {
  /** They have `shift`. */
  shift: "sinusoidal";
  /** They have `weights`, `gradient`, `resize`. */
  weights: "learned";
  /** They have `slopes`. */
  slopes: "alibi";
  /** They have `buckets`. */
  buckets: "t5" | "swin-v2";
  /** They have `resize`, `buckets`. */
  resize: "swin";
  /** They have `addTo`, `apply`. */
  addTo: "none";
  /** They have `bucketOf`. */
  bucketOf: "shaw" | "nezha" | "deberta";
  /** They have `contextPositions`. */
  contextPositions: "cope";
  /** They have `expand`. */
  expand: "pope";
  /** They have `logGates`, `logGatesBackward`, `bias`. */
  logGates: "forget" | "data-dependent-alibi";
  /** They have `gateRows`, `gateRowsBackward`, `biasOfRows`. */
  gateRows: "per-row-alibi";
  /** They have `biasOf`. */
  biasOf: "grape-a";
  /** They have `biasOfRows`. */
  biasOfRows: "grape-ap";
  /** They have `apply`, `applyBackward`, `frequencies`. */
  apply: "rope-mixed" | "fope" | "grape-m" | "liere" | "string";
}

/** The families of encodings. */
export type Family = keyof KindsOf;

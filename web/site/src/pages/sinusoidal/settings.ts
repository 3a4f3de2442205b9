// What the figures of this chapter share.

export interface SinusoidalSettings {
  length: number;
  dim: number;
  base: number;
  /** The dimensions drawn as curves. */
  columns: number[];
  start: number;
  step: number;
}

export const fuzzSeed: number;
export const fuzzRuns: number;
export const browserFuzzRuns: number;

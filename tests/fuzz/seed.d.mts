export const fuzzSeed: number;
export const fuzzRuns: number;

export const fuzzSeed: number;

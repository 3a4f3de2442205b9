// Where the random tests of this run begin: another place each time, or POSENC_FUZZ_SEED.

export const fuzzSeed = Number(process.env.POSENC_FUZZ_SEED) || 1 + Math.floor(Math.random() * (2 ** 31 - 2));

// Where the random tests of this run begin (another place each time, or POSENC_FUZZ_SEED), and how long they go on.

export const fuzzSeed = Number(process.env.POSENC_FUZZ_SEED) || 1 + Math.floor(Math.random() * (2 ** 31 - 2));
/** Of the calls of the JavaScript API: a hundred calls and more each. */
export const fuzzRuns = Number(process.env.POSENC_FUZZ_RUNS) || 100;
/** In a browser: what goes wrong with a random call goes wrong in Node, too, but for what only that engine does. */
export const browserFuzzRuns = Number(process.env.POSENC_FUZZ_RUNS) || 25;

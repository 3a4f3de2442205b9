// Cache files that are damaged at random, also with right checksums: each is restored, or refused with the library's own error.
// By hand: POSENC_FUZZ_SEED=7 POSENC_FUZZ_RUNS=50000 npx vitest run --config tests/js/vitest.config.ts --project node cache-file/fuzz
import { openCache, restoreCache, saveCache } from "posenc/cache-file";
import { expect, it } from "vitest";
import { createRotary, pe } from "../helpers/library";
import { range } from "../helpers/numbers";
import { randomFrom } from "../helpers/onnx-mutate";
import { caught } from "../helpers/refusals";
import { bytesOf, cacheOf, same } from "../helpers/saved-caches";
import { PosencError } from "posenc";

declare const __FUZZ_SEED__: number;
declare const __FUZZ_RUNS__: number;

const rotary = createRotary({ kind: "rope", dim: 4 });
const encoding = same(rotary);
const cache = cacheOf({ layers: 2, heads: 1, tokens: 5, dim: 4, valueDim: 2 }, () => rotary, [range(5)]);

/** Numbers that lengths and counts should not be. */
const hostile = [
  "-1",
  "0",
  "1",
  "1e9",
  "2147483647",
  "9007199254740993",
  "1e400",
  "null",
  '"x"',
  "[]",
  "{}",
  "0.5",
  "4294967296",
];

/** The checksum of a header: of words, the last one with a length of 0. */
function checksumOf(bytes: Uint8Array): number {
  const words = [...new Uint32Array(bytes.slice().buffer), 0];
  return words.reduce((sum, word) => {
    const mixed = sum ^ word;
    const product = Math.imul((mixed << 13) | (mixed >>> 19), 0x85ebca6b);
    return product ^ (product >>> 15);
  }, 0x9e3779b9 ^ bytes.length);
}

/** Returns a file with another value somewhere in its JSON, and with the checksum of that header. */
function reworded(bytes: Uint8Array, random: (count: number) => number) {
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const info: string = json.__metadata__.info;
  const numbers = [...info.matchAll(/(?<=[:[,])(?:-?\d[\d.e+-]*|"[^"]*"|true|false|null)(?=[,\]}])/g)];
  const { index, 0: old } = numbers[random(numbers.length)]!;
  json.__metadata__.info = info.slice(0, index) + hostile[random(hostile.length)] + info.slice(index + old.length);
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = new Uint8Array(8 + Math.ceil(text.length / 8) * 8).fill(32);
  new DataView(padded.buffer).setBigUint64(0, BigInt(padded.length - 8), true);
  padded.set(text, 8);
  const rest = bytes.slice(8 + length);
  const [at] = json.checksums.data_offsets;
  new DataView(rest.buffer).setUint32(at, checksumOf(padded) >>> 0, true);
  return Uint8Array.of(...padded, ...rest);
}

function mutated(bytes: Uint8Array, random: (count: number) => number) {
  const changed = bytes.slice();
  for (let i = 1 + random(4); i > 0; i--) {
    const at = random(changed.length);
    const what = random(4);
    if (what === 0) changed[at]! ^= 1 << random(8);
    else if (what === 1) changed[at] = random(256);
    else if (what === 2) changed.copyWithin(at, random(changed.length), random(changed.length));
    else return changed.slice(0, at);
  }
  return changed;
}

it.each(["float32", "int8"] as const)(
  "damaged at random, %s",
  { timeout: Math.max(60_000, 100 * __FUZZ_RUNS__) },
  async (type) => {
    const file = await bytesOf(await saveCache(pe, cache, { encoding, type, tokens: range(5) }));
    const random = randomFrom(__FUZZ_SEED__);
    let [refused, rewordedAndRead] = [0, 0];
    for (let run = 0; run < 20 * __FUZZ_RUNS__; run++) {
      const isReworded = random(3) === 0;
      const mutant = isReworded ? reworded(file, random) : mutated(file, random);
      const error = await caught(async () => {
        const opened = await openCache(mutant as never);
        await restoreCache(pe, opened, { encoding });
        await restoreCache(pe, { file: opened, from: 1, to: 4 }, { encoding, at: 100 });
      });
      if (error && !(error instanceof PosencError))
        expect.fail(`seed ${__FUZZ_SEED__}, run ${run}: ${(error as Error).stack}`);
      if (error) refused++;
      else if (isReworded) rewordedAndRead++;
    }
    expect(refused).toBeGreaterThan(10 * __FUZZ_RUNS__);
    // Changes that a checksum does not find reach what reads the metadata: some are without effect.
    expect(rewordedAndRead).toBeGreaterThan(0);
  },
);

// Packed sequences are what each is alone: attention with any encoding, its weights and gradients, logits, biases.
import { describe, expect, it } from "vitest";
import { createAny, createBias, createRelative, loosely, pe } from "../helpers/library";
import { maxDifference, randomTensor, swapMiddle } from "../helpers/numbers";
import { refusal } from "../helpers/refusals";
import type { PlainTensor } from "../helpers/numbers";

const [heads, dim] = [2, 8];
const lengths = [5, 1, 70, 4];
const total = lengths.reduce((sum, length) => sum + length, 0);
const starts = lengths.map((_, i) => lengths.slice(0, i).reduce((sum, length) => sum + length, 0));
const segments = lengths.flatMap((length, i) => Array.from({ length }, () => 7 - 3 * i));
const cuSeqlens = [...starts, total];

/** Positions `start` to before `end` of x [B, H, T, D]. */
function part(
  { data, dims }: { data: Float32Array; dims: readonly number[] },
  start: number,
  end: number,
): PlainTensor {
  const [, , length, width] = dims as [number, number, number, number];
  const rows: number[] = [];
  data.forEach((value, i) => {
    const index = Math.floor(i / width) % length;
    if (index >= start && index < end) rows.push(value);
  });
  return { type: "float32", data: Float32Array.from(rows), dims: [dims[0]!, dims[1]!, end - start, width] };
}

/** Of x [B, H, T, D] one batch row, at these places. */
function rowsAt(
  { data, dims }: { data: Float32Array; dims: readonly number[] },
  batch: number,
  indices: number[],
): PlainTensor {
  const [, count, length, width] = dims as [number, number, number, number];
  const rows = Array.from({ length: count }, (_, h) =>
    indices.map((index) => data.subarray(((batch * count + h) * length + index) * width).subarray(0, width)),
  ).flat();
  const numbers = Float32Array.from(rows.flatMap((row) => [...row]));
  return { type: "float32", data: numbers, dims: [1, count, indices.length, width] };
}

const kinds: [string, object | undefined][] = [
  ["no encoding", undefined],
  ["rope", { kind: "rope", dim }],
  ["rope-dynamic", { kind: "rope-dynamic", dim, factor: 2, originalLength: 8 }],
  ["xpos", { kind: "xpos", dim }],
  ["alibi", { kind: "alibi", heads }],
  ["alibi by keys", { kind: "alibi", heads, form: "key" }],
  ["t5", { kind: "t5", heads, bidirectional: true }],
  ["fire", { kind: "fire", heads, length: 8 }],
  ["kerple", { kind: "kerple", heads, form: "weighted" }],
  ["shaw", { kind: "shaw", dim, maxDistance: 4, withValues: true }],
  ["transformer-xl", { kind: "transformer-xl", dim, heads }],
  ["deberta", { kind: "deberta", dim, heads, buckets: 8, maxDistance: 16 }],
  ["cope", { kind: "cope", dim, maxPosition: 6 }],
];

function filled(spec: object | undefined) {
  if (!spec) return undefined;
  const encoding: ReturnType<typeof createBias> | ReturnType<typeof createRelative> = loosely(createAny(spec));
  for (const [name, { data, dims }] of Object.entries(encoding.parameters)) {
    if (name !== "slopes" && name !== "frequencies") data.set(randomTensor([...dims], name.length).data);
  }
  return encoding;
}

describe.each(kinds)("%s", (name, spec) => {
  const encoding = filled(spec);
  const q = randomTensor([2, heads, total, dim], 1);
  const k = randomTensor([2, heads, total, dim], 2);
  const v = randomTensor([2, heads, total, dim], 3);
  const gradOut = randomTensor(q.dims, 4);
  // The sequence's own length decides there: each sequence alone would have another.
  const own = name === "rope-dynamic" ? { at: { sequenceLength: 9 } } : {};
  const positions = pe.positionIds(segments, { packed: true }).data;

  it.each<[string, object]>([
    ["full", {}],
    ["causal", { causal: true }],
    ["window", { causal: true, window: 3, softcap: 4 }],
    ["masked", { attentionMask: segments.map((_, j) => j % 4 !== 1) }],
  ])("%s", (_, how) => {
    const options = { encoding, ...how, ...own };
    const all = pe.attention(q, k, v, { ...options, segments });
    const slopes = pe.attentionBackward(q, k, v, gradOut, { ...options, segments });
    const given = pe.attention(q, k, v, { ...options, cuSeqlens, at: { ...own.at, positions } });
    const swapped = [q, k, v].map(swapMiddle) as unknown as [PlainTensor, PlainTensor, PlainTensor];
    const bthd = pe.attention(...swapped, { ...options, segments, layout: "bthd" });
    expect(maxDifference(swapMiddle(bthd as PlainTensor).data, all.data)).toBeLessThan(1e-6);
    expect(maxDifference(given.data, all.data)).toBeLessThan(1e-6);
    lengths.forEach((length, i) => {
      const [start, end] = [starts[i]!, starts[i]! + length];
      const [one, two, three, four] = [q, k, v, gradOut].map((x) => part(x, start, end)) as PlainTensor[];
      const mask = (how as { attentionMask?: boolean[] }).attentionMask?.slice(start, end);
      const separate = { ...options, ...(mask && { attentionMask: mask }) };
      expect(maxDifference(part(all, start, end).data, pe.attention(one!, two!, three!, separate).data)).toBeLessThan(
        2e-6,
      );
      const gradients = pe.attentionBackward(one!, two!, three!, four!, separate);
      for (const input of ["q", "k", "v"] as const)
        expect(maxDifference(part(slopes[input], start, end).data, gradients[input].data)).toBeLessThan(5e-6);
    });
  });

  it("whose tokens lie among those of others, or come in another order", () => {
    const rows = [
      [3, 8, 3, 3, 8, -1, 3, 8, 8],
      [5, 5, 5, 0, 0, -2, -2, -2, 1],
    ];
    const [count, queries] = [9, 6];
    const ids = { data: rows.flat(), dims: [2, count] };
    const options = { encoding, causal: true, at: { sequenceLength: count } };
    const [one, two, three] = [q, k, v].map((x) => part(x, 0, count)) as [PlainTensor, PlainTensor, PlainTensor];
    const last = part(one, count - queries, count);
    const all = pe.attention(last, two, three, { ...options, segments: ids });
    const bias = encoding?.family === "bias" ? (encoding as ReturnType<typeof createBias>) : undefined;
    const biases = bias?.bias({ queries, keys: count, offset: count - queries, segments: ids }).data;
    rows.forEach((row, b) => {
      for (const id of new Set(row)) {
        const indices = row.flatMap((other, j) => (other === id ? [j] : []));
        const own = [one, two, three].map((x) => rowsAt(x, b, indices)) as [PlainTensor, PlainTensor, PlainTensor];
        const separate = pe.attention(...own, options);
        const separateBiases = bias?.bias({ queries: indices.length, keys: indices.length }).data;
        indices.forEach((index, i) => {
          const query = index - (count - queries);
          if (query < 0) return;
          const got = rowsAt(all, b, [query]).data;
          expect(maxDifference(got, rowsAt(separate, 0, [i]).data)).toBeLessThan(2e-6);
          for (let h = 0; h < heads && biases && separateBiases; h++)
            indices.forEach((key, j) => {
              const row = ((b * heads + h) * queries + query) * count;
              const own = (h * indices.length + i) * indices.length;
              // MPT's goes by the last key of a call, which the softmax does not notice.
              const shift = name === "alibi by keys" ? separateBiases[own]! - biases[row + indices[0]!]! : 0;
              expect(biases[row + key]! + shift).toBe(separateBiases[own + j]);
            });
        });
      }
    });
  });

  it.runIf(encoding?.family === "relative")("logits", () => {
    const relative = encoding as ReturnType<typeof createRelative>;
    const { data } = relative.logits(q, k, { segments });
    lengths.forEach((length, i) => {
      const [one, two] = [q, k].map((x) => part(x, starts[i]!, starts[i]! + length)) as [PlainTensor, PlainTensor];
      const separate = relative.logits(one, two).data;
      separate.forEach((value, n) => {
        const [key, query, row] = [n % length, Math.floor(n / length) % length, Math.floor(n / length ** 2)];
        expect(Math.abs(data[(row * total + starts[i]! + query) * total + starts[i]! + key]! - value)).toBeLessThan(
          5e-6,
        );
      });
    });
    data.forEach((value, n) => {
      if (segments[n % total] !== segments[Math.floor(n / total) % total]) expect(value).toBe(-Infinity);
    });
  });

  it.runIf(encoding?.family === "bias")("bias, queries being the last of the keys", () => {
    const bias = encoding as ReturnType<typeof createBias>;
    const queries = 20;
    const packed = bias.bias({ queries, keys: total, segments: { data: segments, dims: [1, total] } });
    expect(packed.dims).toEqual([1, heads, queries, total]);
    const applied = bias.applyTo(
      { data: new Float32Array(packed.data.length), dims: packed.dims },
      { cuSeqlens, keyPositions: positions },
    );
    if (name !== "kerple") expect([...applied.data]).toEqual([...packed.data.map((value) => value + 0)]);
    const separate = lengths.map((length) => bias.bias({ queries: length, keys: length }).data);
    packed.data.forEach((value, n) => {
      const [key, head] = [n % total, Math.floor(n / total / queries)];
      const index = (Math.floor(n / total) % queries) + total - queries;
      const i = starts.findLastIndex((start) => start <= index);
      const [length, start] = [lengths[i]!, starts[i]!];
      const row = (head * length + index - start) * length;
      expect(value).toBe(segments[key] === segments[index] ? separate[i]![row + key - start] : -Infinity);
    });
  });
});

describe("segments", () => {
  const q = randomTensor([2, 1, 2, dim], 1);
  const k = randomTensor([2, 1, 5, dim], 2);
  const weights = (options: object) => pe.attentionWeights(q, k, loosely(options)).data;
  const pattern = (options: object) => Array.from(weights(options), (weight) => +(weight > 0)).join("");

  it("are read for all rows or for each, in pieces or not, of any integers", () => {
    expect(pattern({ segments: [4, 4, -1, -1, 4] })).toBe("0011011001".repeat(2));
    expect(pattern({ segments: [0, 0, 0, 1, 1, 1, 2, 2, 2, 2] })).toBe("0001100011" + "0111101111");
    expect(pattern({ segments: BigInt64Array.from([1n, 1n, 1n, 2n ** 60n, 2n ** 60n + 1n]) })).toBe(
      "0001000001".repeat(2),
    );
    expect(pattern({ segments: [1, 1, 2, 2, 2], causal: true })).toBe("0011000111".repeat(2));
    expect(pattern({ cuSeqlens: [0, 4, 4, 5] })).toBe("1111000001".repeat(2));
  });

  it.each<[string, object, string, string]>([
    ["too few", { segments: [1, 1] }, "shape-mismatch", "segments"],
    ["rows of another batch", { segments: { data: new Int32Array(15), dims: [3, 5] } }, "shape-mismatch", "segments"],
    ["fractions", { segments: [1, 1, 1.5, 2, 2] }, "invalid-argument", "segments"],
    ["holes", { segments: [1, 1, undefined, 2, 2] }, "invalid-argument", "segments"],
    ["text", { segments: "11222" }, "invalid-argument", "segments"],
    ["both", { segments: [1, 1, 1, 2, 2], cuSeqlens: [0, 3, 5] }, "invalid-argument", "cuSeqlens"],
    ["lengths that end elsewhere", { cuSeqlens: [0, 3] }, "shape-mismatch", "cuSeqlens"],
    ["lengths that fall", { cuSeqlens: [0, 3, 2, 5] }, "invalid-argument", "cuSeqlens"],
  ])("refuses %s", (_, options, code, field) => {
    const error = refusal(() => weights(options));
    expect([error.code, error.field]).toEqual([code, field]);
  });

  it("refuses more queries than keys, and queries that are none of the keys", () => {
    expect(refusal(() => pe.attentionWeights(k, q, { segments: [1, 2] })).field).toBe("segments");
    const alibi = createBias({ kind: "alibi", heads: 1 });
    const ids = { queries: 2, keys: 3, segments: [1, 1, 2] };
    expect(refusal(() => alibi.bias({ ...ids, offset: 2 })).field).toBe("segments");
    expect(refusal(() => alibi.bias({ ...ids, offset: 0.5 })).field).toBe("segments");
    expect([...alibi.bias({ ...ids, offset: 0 }).data].map((value) => value > -Infinity)).toEqual(
      [1, 1, 0, 1, 1, 0].map(Boolean),
    );
  });
});

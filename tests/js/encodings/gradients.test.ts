// Gradients through every encoding and of its learned numbers, against differences of its formula in float64.
import type { BiasEncoding, Encoding, GatedRelative, RelativeEncoding, RotaryEncoding } from "posenc";
import { describe, expect, it } from "vitest";
import { referenceAttention } from "../helpers/attention";
import type { Heads, ReferenceOptions } from "../helpers/attention";
import { expectGradients, float32, random64, tensor64 } from "../helpers/gradients";
import type { Inputs } from "../helpers/gradients";
import { createAny, createBias, createRelative, createRotary, descriptions, loosely, pe } from "../helpers/library";
import type { Spec } from "../helpers/library";
import { cases, dim, heads } from "../helpers/gradient-cases";
import type { Case } from "../helpers/gradient-cases";
import { dot, maxDifference, randomTensor, range } from "../helpers/numbers";
import { referenceOf } from "../helpers/reference-encodings";
import type { TokenPositions } from "../helpers/referenced";

/** q, k, v, the encoding's learned numbers in float64, and the encoding that holds the same. */
function prepare({ spec, values = {}, keyHeads = heads, gates, tokens = [], batch = 2, queries = 5, keys = 8 }: Case) {
  const encoding = createAny(spec) as Encoding;
  const keyDims = [batch, keyHeads, keys, dim];
  const inputs: Inputs = {
    q: random64([batch, heads, queries, dim], 61),
    k: random64(keyDims, 62),
    // Not v, which is a number of Transformer-XL, too.
    value: random64(keyDims, 63),
    ...(gates && { gateKeys: random64(keyDims, 65) }),
  };
  const ofTokens = {
    logGates: [batch, spec["bidirectional"] ? 2 * heads : heads, keys],
    directions: keyDims,
    strengths: [batch, keyHeads, keys],
    gateRows: [batch, heads, keys, 4],
    relativeStates: [batch, heads, queries, 3],
  };
  for (const name of tokens) inputs[name] = random64(ofTokens[name], 80 + name.length);
  inputs["strengths"]?.data.forEach((x, i, data) => (data[i] = Math.fround(1 + x)));
  for (const name of ["q", "k"]) inputs[name]!.data.forEach((x, i, data) => (data[i] = Math.fround(2.5 * x)));
  Object.entries(encoding.parameters).forEach(([name, { data, dims }], n) => {
    const change = values[name] ?? ((x: number, i: number) => (spec.kind === "rope" ? data[i]! : x));
    const numbers = Array.from(random64([...dims], 70 + n).data, (x, i) => Math.fround(change(x, i)));
    encoding.load({ [name]: numbers });
    inputs[name] = tensor64({ data: numbers, dims });
  });
  return { inputs, encoding, batch, queries, keys };
}

const named = (inputs: Inputs, names: string[]) => Object.fromEntries(names.map((name) => [name, inputs[name]!]));

describe.each(cases)("%s", (_, given) => {
  const { inputs, encoding, batch, queries, keys } = prepare(given);
  const tokenPositions = given.positions ?? { keys: range(keys), queries: range(queries, keys - queries) };
  const { keys: atKeys, queries: atQueries } = tokenPositions.axes ?? tokenPositions;
  const at = given.positions && { at: { positions: atKeys }, queryAt: { positions: atQueries } };
  const options = { ...given.options, ...at, encoding };
  const [q, k, v] = [inputs.q!, inputs.k!, inputs["value"]!].map(float32) as [never, never, never];
  const more = [...(given.gates ? ["gateKeys"] : []), ...(given.tokens ?? [])];
  const gateKeys = Object.fromEntries(more.map((name) => [name, float32(inputs[name]!)]));
  const learned = Object.keys(encoding.parameters);
  const reference = (x: Inputs): [Heads, Heads, ReferenceOptions] => {
    const { q, k, options } = referenceOf(x, given.spec, tokenPositions);
    const terms = encoding.family === "relative" && given.spec.kind === "deberta" ? (learned.length + 1) * dim : dim;
    return [q, k, { scale: 1 / Math.sqrt(terms), ...options, ...given.options }];
  };
  const most = { most: given.most ?? 16, tolerance: given.tolerance ?? 3e-6 };

  it("attention", () => {
    const gradOut = randomTensor([batch, heads, queries, dim], 64);
    const forward = (x: Inputs) => {
      const [q, k, options] = reference(x);
      return referenceAttention(q, k, x["value"]!, options);
    };
    const out = pe.attention(q, k, v, { ...options, ...gateKeys });
    expect(maxDifference(out.data, forward(inputs)), "the reference is the library's formula").toBeLessThan(3e-6);
    encoding.zeroGradients();
    const { v: value, ...slopes } = pe.attentionBackward(q, k, v, gradOut, { ...options, ...gateKeys });
    expectGradients(forward, inputs, gradOut.data, { ...slopes, value, ...encoding.gradients }, most);
    // A second call adds.
    const once = learned.map((name) => encoding.gradients[name]!.data.slice());
    pe.attentionBackward(q, k, v, gradOut, { ...options, ...gateKeys });
    learned.forEach((name, n) =>
      expect(
        maxDifference(
          encoding.gradients[name]!.data,
          once[n]!.map((x) => 2 * x),
        ),
        name,
      ).toBeLessThan(1e-4),
    );
  });

  if (encoding.family === "relative")
    it("logits", () => {
      const { queryAt, at: keyPositions } = at ?? {};
      const allOptions = { ...given.options, ...gateKeys, ...keyPositions, ...(queryAt && { queryAt }) };
      const relative = encoding as RelativeEncoding;
      const gradOut = randomTensor([batch, heads, queries, keys], 66);
      const forward = (x: Inputs) => rawScores(reference(x));
      const shown = relative.logits(q, k, allOptions).data;
      const finite = (x: ArrayLike<number>) => Array.from(x, (value, i) => (shown[i] === -Infinity ? 0 : value));
      expect(maxDifference(finite(shown), finite(forward(inputs)))).toBeLessThan(1e-5);
      encoding.zeroGradients();
      const slopes = relative.backward(q, k, gradOut, allOptions);
      const used = learned.filter((name) => name !== "values");
      const hidden = gradOut.data.map((value, i) => (shown[i] === -Infinity ? 0 : value));
      expectGradients(forward, inputs, hidden, { ...slopes, ...named(encoding.gradients as never, used) }, most);
    });

  if (encoding.family === "bias")
    it("applyTo", () => {
      // Queries stand one after the other here; keys stand anywhere.
      const offset = given.positions ? 2 : keys - queries;
      const tokenPositions: TokenPositions = {
        queries: range(queries, offset),
        keys: given.positions?.keys ?? range(keys),
      };
      const scores = random64([batch, heads, queries, keys], 67);
      const gradOut = randomTensor(scores.dims, 68);
      const bias = encoding as BiasEncoding;
      const call = { offset, scores: float32(scores), ...(given.positions && { keyPositions: tokenPositions.keys }) };
      const all: Inputs = { ...inputs, scores };
      const forward = (x: Inputs) => {
        const { options } = referenceOf(x, given.spec, tokenPositions);
        return x["scores"]!.data.map((score, n) => {
          const [j, i] = [n % keys, Math.floor(n / keys) % queries];
          const head = Math.floor(n / keys / queries) % heads;
          return score * (options.factor?.(0, head, i, j) ?? 1) + options.bias!(0, head, i, j);
        });
      };
      encoding.zeroGradients();
      const slopes = bias.backward(gradOut, call);
      expectGradients(forward, all, gradOut.data, { scores: slopes, ...encoding.gradients }, most);
    });
});

/** The scores of attention before scale and softmax, 0 for hidden keys: the softmax is taken back by its logarithm. */
function rawScores([q, k, options]: [Heads, Heads, ReferenceOptions]): Float64Array {
  const [b, h, queries] = q.dims as [number, number, number];
  const keys = k.dims[2]!;
  const out = new Float64Array(b * h * queries * keys);
  const keep: ReferenceOptions = {
    ...options,
    scale: 1,
    bias: () => 0,
    factor: () => 1,
    scores: (products, batchRow, head, i, visible) => {
      const scores = options.scores?.(products, batchRow, head, i, visible) ?? products;
      out.set(
        scores.map((score, j) => (visible[j] ? score + (options.bias?.(batchRow, head, i, j) ?? 0) : 0)),
        ((batchRow * h + head) * queries + i) * keys,
      );
      return scores;
    },
  };
  referenceAttention(q, k, k, keep);
  return out;
}

it("every kind with learned numbers is among them, or a table", () => {
  const tested = new Set(cases.map(([, { spec }]) => spec.kind));
  const learned = descriptions.filter(({ family, parameters }) => family !== "table" && parameters.length > 0);
  expect(learned.map(({ kind }) => kind).filter((kind) => !tested.has(kind))).toEqual([]);
});

describe("rotations", () => {
  const rotations: Spec[] = [
    { kind: "rope", dim: 8 },
    { kind: "rope", dim: 8, pairing: "interleaved", rotaryDim: 4, rotaryStart: 2 },
    { kind: "rope", dim: 8, pairing: "interleaved-to-half", rotaryDim: 6 },
    { kind: "rope-yarn", dim: 8, factor: 16, originalLength: 8 },
    {
      kind: "rope-longrope",
      dim: 8,
      shortFactor: [1, 1, 1, 1],
      longFactor: [1, 2, 3, 4],
      originalLength: 4,
      factor: 8,
    },
    { kind: "xpos", dim: 8 },
  ];
  it.each(rotations)("%j: transpose is the gradient, and what attention's backward call gives", (spec) => {
    const encoding = createRotary(spec) as RotaryEncoding;
    const [x, g, k, v] = [1, 2, 3, 4].map((seed) => randomTensor([2, 3, 6, 8], seed)) as [never, never, never, never];
    const role = (name: "query" | "key") => ({ role: name, offset: 3, sequenceLength: 9 });
    const copy = (y: { data: Float32Array; dims: number[] }) => ({ data: y.data.slice(), dims: y.dims });
    const rotated = encoding.apply(copy(x), role("query"));
    const back = encoding.apply(copy(g), { ...role("query"), transpose: true });
    // <R x, g> = <x, transposed R g>
    expect(Math.abs(dot(rotated.data, loosely(g).data) - dot(loosely(x).data, back.data))).toBeLessThan(1e-5);
    expect(maxDifference(encoding.backward(x, g, role("query")).data, back.data)).toBe(0);
    const inside = pe.attentionBackward(x, k, v, g, { encoding, at: { offset: 3, sequenceLength: 9 } });
    const keys = encoding.apply(copy(k), role("key"));
    const outside = pe.attentionBackward(rotated, keys, v, g);
    encoding.apply(outside.q, { ...role("query"), transpose: true });
    encoding.apply(outside.k, { ...role("key"), transpose: true });
    for (const name of ["q", "k", "v"] as const)
      expect(maxDifference(inside[name].data, outside[name].data), name).toBeLessThan(1e-6);
  });

  it("with several axes, too", () => {
    const encoding = createRotary({ kind: "rope-mrope", dim: 8, sections: [2, 1, 1] });
    const [x, g] = [1, 2].map((seed) => randomTensor([1, 2, 4, 8], seed)) as [never, never];
    const at = { positions: [range(4), [0, 0, 1, 1], [0, 1, 0, 1]] };
    const slopes = pe.attentionBackward(x, x, x, g, { encoding, at });
    const rotated = encoding.apply({ data: loosely(x).data.slice(), dims: [1, 2, 4, 8] }, at);
    const outside = pe.attentionBackward(rotated, rotated, x, g);
    encoding.apply(outside.q, { ...at, transpose: true });
    expect(maxDifference(slopes.q.data, outside.q.data)).toBeLessThan(1e-6);
  });

  it("learned frequencies are read anew by each call", () => {
    const frequencies = [1, 0.1];
    const encoding = createRotary({ kind: "rope", dim: 4, frequencies });
    const x = randomTensor([1, 1, 3, 4], 1);
    const rotate = (rope: RotaryEncoding) => rope.apply({ data: x.data.slice(), dims: x.dims }, { offset: 100 }).data;
    expect([...encoding.inverseFrequencies]).toEqual(frequencies);
    rotate(encoding);
    encoding.parameters["frequencies"]!.data[0] = 0.75;
    expect([...encoding.inverseFrequencies]).toEqual([0.75, 0.1]);
    expect(rotate(encoding)).toEqual(rotate(createRotary({ kind: "rope", dim: 4, frequencies: [0.75, 0.1] })));
    encoding.load([2, 3]);
    expect(rotate(encoding)).toEqual(rotate(createRotary({ kind: "rope", dim: 4, frequencies: [2, 3] })));
    expect(createRotary({ kind: "rope", dim: 4 }).parameters).toEqual({});
  });
});

it("biases: hidden keys and broadcast heads", () => {
  const encoding = createBias({ kind: "alibi", heads: 2 });
  const gradOut = randomTensor([3, 2, 2, 4], 1);
  const mask = { data: [1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1], dims: [3, 4] };
  const slopes = encoding.backward(gradOut, { attentionMask: mask });
  const isVisible = (n: number) => mask.data[Math.floor(n / 16) * 4 + (n % 4)];
  expect([...slopes.data]).toEqual(Array.from(gradOut.data, (value, n) => (isVisible(n) ? value : 0)));
  const expected = [0, 0];
  slopes.data.forEach((value, n) => {
    const [j, i, h] = [n % 4, Math.floor(n / 4) % 2, Math.floor(n / 8) % 2];
    expected[h]! -= Math.abs(2 + i - j) * value;
  });
  expect(maxDifference(encoding.gradients["slopes"]!.data, expected)).toBeLessThan(1e-6);
  // A mask without learned numbers has nothing to learn, and passes gradients on.
  const hidden = createBias({ kind: "mask", heads: 1 });
  const q = randomTensor([1, 2, 3, 4], 2);
  const [one, other] = [{ encoding: hidden }, { causal: true }].map((options) =>
    pe.attentionBackward(q, q, q, q, options),
  );
  expect(maxDifference(one!.q.data, other!.q.data)).toBe(0);
  expect(createRelative({ kind: "cope", dim: 4 }).family).toBe("relative");
});

describe("gates of a layer's input", () => {
  const [batch, tokens] = [2, 5];
  it.each([
    [{ kind: "data-dependent-alibi", dim, heads: 3, postLogScale: 0.7 }, 3, "bhtd"],
    [{ kind: "data-dependent-alibi", dim, heads: 2, bidirectional: true, std: 1, biasInit: 0.5 }, 4, "bthd"],
    [{ kind: "forget", heads: dim }, dim, "bthd"],
  ] as const)("%j", (spec, gates, layout) => {
    const encoding = createRelative(spec) as unknown as GatedRelative;
    const x = random64([batch, tokens, dim], 90);
    const inputs: Inputs = { x };
    for (const [name, { data, dims }] of Object.entries(encoding.parameters)) inputs[name] = tensor64({ data, dims });
    const scale = "postLogScale" in spec ? spec.postLogScale : 1;
    const forward = ({ x, weight, bias }: Inputs): Float64Array =>
      Float64Array.from({ length: batch * tokens * gates }, (_, n) => {
        const [row, gate] = layout === "bthd" ? [Math.floor(n / gates), n % gates] : rowAndGate(n, gates, tokens);
        const features = x!.data.subarray(row * dim, (row + 1) * dim);
        const logit = weight
          ? dot(weight.data.subarray(gate * dim, (gate + 1) * dim), features) + bias!.data[gate]!
          : features[gate]!;
        return -scale * Math.log1p(Math.exp(-logit));
      });
    const made = encoding.logGates(float32(x), { layout });
    expect(made.dims).toEqual(layout === "bhtd" ? [batch, gates, tokens] : [batch, tokens, gates]);
    expect(maxDifference(made.data, forward(inputs))).toBeLessThan(2e-7);
    const gradOut = randomTensor(made.dims, 91);
    const slopes = encoding.logGatesBackward(float32(x), gradOut, { layout });
    expectGradients(forward, inputs, gradOut.data, { x: slopes, ...encoding.gradients }, { most: 16, tolerance: 3e-6 });
  });
});

it.each(["bhtd", "bthd"] as const)("rows of gates of a layer's input, %s", (layout) => {
  const [batch, tokens, heads, width] = [2, 5, 3, 2];
  const encoding = createRelative({ kind: "per-row-alibi", dim, heads, gateDim: width });
  const x = random64([batch, tokens, dim], 92);
  const inputs: Inputs = { x, weight: tensor64(encoding.parameters["weight"]!) };
  const dims = layout === "bhtd" ? [batch, heads, tokens, 2 * width] : [batch, tokens, heads, 2 * width];
  // Queries of all heads come before the keys of all heads.
  const forward = ({ x, weight }: Inputs): Float64Array =>
    Float64Array.from({ length: batch * tokens * heads * 2 * width }, (_, n) => {
      const [index, column] = [Math.floor(n / (2 * width)), n % (2 * width)];
      const [row, head] =
        layout === "bthd" ? [Math.floor(index / heads), index % heads] : rowAndGate(index, heads, tokens);
      const number = (Math.floor(column / width) * heads + head) * width + (column % width);
      return dot(weight!.data.subarray(number * dim, (number + 1) * dim), x!.data.subarray(row * dim, (row + 1) * dim));
    });
  const made = encoding.gateRows(float32(x), { layout });
  expect(made.dims).toEqual(dims);
  expect(maxDifference(made.data, forward(inputs))).toBeLessThan(2e-7);
  const gradOut = randomTensor(dims, 93);
  const slopes = encoding.gateRowsBackward(float32(x), gradOut, { layout });
  expectGradients(forward, inputs, gradOut.data, { x: slopes, ...encoding.gradients }, { most: 16, tolerance: 3e-6 });
});

const rowAndGate = (n: number, gates: number, tokens: number): [number, number] => {
  const [block, token] = [Math.floor(n / tokens), n % tokens];
  return [Math.floor(block / gates) * tokens + token, block % gates];
};

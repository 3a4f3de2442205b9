// Each operation in the public calls of posenc. engines/posenc.mjs loads the library; tests pass an instance.

const pairingOf = ({ pairing }) => (pairing === "halves" ? "half" : "interleaved");
const tensor = ({ dims, data }) => ({ type: "float32", dims, data: Float32Array.from(data) });
const vector = (data) => ({ dims: [data.length], data });

/** Several coordinates per token are one list per axis. */
const axesOf = ({ dims: [axes, tokens], data }) =>
  tokens === undefined ? data : Array.from({ length: axes }, (_, i) => data.subarray(i * tokens, (i + 1) * tokens));

const frequenciesOf = (encoding, length) =>
  length === undefined ? encoding.inverseFrequencies : encoding.frequenciesAt(length);

const orders = {
  interleaved: { pairing: "interleaved" },
  "sines-first": { pairing: "concat" },
  "cosines-first": { pairing: "concat", order: "cos-sin" },
};

/** The operations of an instance that has all parts. */
export function engineOf(pe) {
  /** A rotation with given frequencies. */
  const rotation = (x, frequencies, parameters, fields = {}) =>
    pe.create({
      kind: "rope",
      dim: x.dims.at(-1),
      rotaryDim: 2 * frequencies.data.length,
      pairing: pairingOf(parameters),
      frequencies: frequencies.data,
      ...fields,
    });

  /** `fromConfig` reads the pairs from the model type, which the cases leave out. */
  const fromConfig = ({ config, pairing = "halves" }) => pe.fromConfig(config, { pairing: pairingOf({ pairing }) });

  return {
    rotate: ({ x, positions, frequencies }, parameters) => ({
      y: rotation(x, frequencies, parameters).apply(tensor(x), { positions }),
    }),

    "rotate-backward": ({ dy, positions, frequencies }, parameters) => ({
      dx: rotation(dy, frequencies, parameters).apply(tensor(dy), { positions: positions.data, transpose: true }),
    }),

    "shift-keys": ({ keys, frequencies }, parameters) => ({
      keys: rotation(keys, frequencies, parameters).rerotate(tensor(keys), { from: 0, to: parameters.shift }),
    }),

    "rotate-axes": ({ x, positions, frequencies }, parameters) => {
      const interleavedSections = parameters.arrangement === "interleaved";
      const encoding = rotation(x, frequencies, parameters, { sections: parameters.sections, interleavedSections });
      return { y: encoding.apply(tensor(x), { positions: axesOf(positions) }) };
    },

    "rotary-frequencies": (_, { config, length }) => {
      const encoding = fromConfig({ config });
      return {
        frequencies: vector(frequenciesOf(encoding, length)),
        attention_factor: vector([encoding.attentionFactor]),
      };
    },

    "rotary-embedding": ({ x, positions }, parameters) => ({
      y: fromConfig(parameters).apply(tensor(x), { positions: axesOf(positions), sequenceLength: parameters.length }),
    }),

    "position-ids-of-mask": ({ attention_mask }) => ({ position_ids: pe.positionIds(attention_mask, { padding: 0 }) }),

    "position-ids-of-lengths": ({ lengths }) => {
      const ends = [0];
      for (const length of lengths.data) ends.push(ends.at(-1) + length);
      return { position_ids: pe.positionIds({ cuSeqlens: ends }) };
    },

    "mrope-position-ids": (_, { segments, merge }) => {
      const { positions, delta } = pe.mropePositionIds(segments, { mergeSize: merge, after: "maximum" });
      return { position_ids: { dims: [3, positions.data.length / 3], data: positions.data }, delta: vector([delta]) };
    },

    "alibi-slopes": (_, { heads }) => ({ slopes: vector(pe.create({ kind: "alibi", heads }).slopes) }),

    "alibi-bias": (_, { heads, queries, keys }) => ({
      bias: pe.create({ kind: "alibi", heads }).bias({ queries, keys, offset: keys - queries }),
    }),

    "t5-buckets": ({ distances }, { bidirectional, buckets, max_distance }) => {
      const t5 = pe.create({ kind: "t5", heads: 1, bidirectional, buckets, maxDistance: max_distance });
      // One query at 0, a key at each distance.
      const keyPositions = distances.data;
      return { buckets: vector(t5.buckets({ queries: 1, keys: keyPositions.length, offset: 0, keyPositions }).data) };
    },

    "deberta-buckets": ({ distances }, { buckets, max_distance }) => {
      const deberta = pe.create({ kind: "deberta", dim: 1, heads: 1, buckets, maxDistance: max_distance });
      // The cases count from the key to the query, posenc from the query to the key.
      return { buckets: vector(deberta.bucketOf(distances.data.map((distance) => -distance))) };
    },

    "window-index": (_, { height, width }) => {
      const encoding = pe.create({ kind: "swin", heads: 1, windowHeight: height, windowWidth: width });
      return { index: encoding.buckets({ queries: height * width, keys: height * width }) };
    },

    "sinusoidal-table": ({ positions }, { dim, base, order, denominator, scale }) => {
      const frequencyShift = denominator === "half" ? 0 : 1;
      const encoding = pe.create({ kind: "sinusoidal", dim, base, scale, frequencyShift, ...orders[order] });
      return { table: encoding.table({ positions: positions.data }) };
    },

    "sinusoidal-grid": (_, { height, width, dim, first }) => {
      const axisOrder = first === "width" ? "xy" : "yx";
      const encoding = pe.create({ kind: "sinusoidal-2d", dim, pairing: "concat", axisOrder });
      return { table: encoding.table({ grid: [height, width] }) };
    },

    attention: ({ q, k, v, frequencies }, { causal, window, scale, rotary, alibi }) => {
      const encoding = rotary
        ? rotation(q, frequencies, { pairing: rotary })
        : alibi && pe.create({ kind: "alibi", heads: q.dims[1] });
      const given = { causal, window, scale, encoding: encoding || undefined };
      const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      return { y: pe.attention(tensor(q), tensor(k), tensor(v), options) };
    },
  };
}

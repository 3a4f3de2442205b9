// posenc's attention: on tensors and arrays, of every type, and over a cache.

/** On q, k, v and out, all in wasm memory or all arrays. */
function attentionCall(ways, given, { q, k, v, out }) {
  const { spec, parameters, tokens = {}, isCausal, scale, window, layout, remap } = given;
  const encoding = spec && ways.create({ ...spec, ...parameters });
  const inputs = Object.entries(tokens).map(([name, { data, dims }]) => [name, ways.tensor(data, dims)]);
  const options = { causal: isCausal, encoding, scale, window, layout, remap, out, ...Object.fromEntries(inputs) };
  const run = () => ways.pe.attention(q, k, v, options);
  return { run, first: () => ({ y: run().data.slice() }) };
}

const residentInputs = (ways, { q, k, v, dims, queryDims }) => ({
  q: ways.tensor(q, queryDims),
  k: ways.tensor(k, dims),
  v: ways.tensor(v, dims),
  out: ways.tensor(queryDims),
});

export function attention(ways) {
  const { q, k, v, dims, queryDims, mainLimits, size } = ways;
  const inputs = residentInputs(ways, ways);
  ways.resident(attentionCall(ways, ways, inputs));
  if (mainLimits && size.queries === 1)
    ways.limit("read", "sum of the same keys and values", () => {
      for (const { data } of [inputs.k, inputs.v]) mainLimits.read(data.byteOffset, data.length);
    });
  const array = (data, shape) => ({ data, dims: shape });
  const out = array(new Float32Array(q.length), queryDims);
  ways.arrays(attentionCall(ways, ways, { q: array(q, queryDims), k: array(k, dims), v: array(v, dims), out }));
}

/** Every kind on the same tensors, in the main build: what it costs to have it inside. */
export function inside(ways) {
  if (!ways.isMain) return;
  const inputs = residentInputs(ways, ways.inside[0]);
  for (const given of ways.inside)
    ways.resident({
      ...attentionCall(ways, given, inputs),
      label: given.label,
      role: given.role,
      truth: given.truth,
    });
}

/** Calls that differ in how many queries there are, and in where keys lie, in the main build. */
export function fewQueries(ways) {
  if (!ways.isMain) return;
  for (const { label, role, truth, ...given } of ways.calls)
    ways.resident({ ...attentionCall(ways, given, residentInputs(ways, given)), label, role, truth });
}

/** A token appended to a cache that then has all keys, and attended to; before the next it goes again. */
export function cacheStep(ways) {
  if (!ways.isMain) return;
  const { pe, size, q, k, v, dims, queryDims, spec, caches, plain, truth } = ways;
  const { label, role } = plain;
  ways.resident({
    ...attentionCall(ways, plain, residentInputs(ways, plain)),
    label,
    role,
    truth: plain.truth,
  });
  const encoding = ways.create(spec);
  const [query, out] = [ways.tensor(q, queryDims), ways.tensor(queryDims)];
  const last = (data) => {
    const rows = Array.from({ length: size.heads }, (_, h) =>
      data.subarray(((h + 1) * size.length - 1) * size.dim, (h + 1) * size.length * size.dim),
    );
    return ways.tensor(
      rows.flatMap((row) => [...row]),
      queryDims,
    );
  };
  const [key, value] = [last(k), last(v)];
  for (const { type, ...about } of caches) {
    const cache = ways.hold(pe.cache({ heads: size.heads, dim: size.dim, capacity: size.length, type }));
    cache.append({ data: k, dims }, { data: v, dims });
    const run = () =>
      cache
        .truncate(size.length - 1)
        .append(key, value)
        .attend(query, { encoding, out });
    ways.resident({ ...about, truth, run, first: () => ({ y: run().data.slice() }) });
  }
}

export function attentionSixteen(ways) {
  if (!ways.isMain) return;
  const { q, k, v, dims, queryDims, truth, pe } = ways;
  for (const { type, ...about } of ways.types) {
    const tensor = (data, shape) => ways.tensor(data, shape, { type });
    const inputs = { q: tensor(q, queryDims), k: tensor(k, dims), v: tensor(v, dims) };
    const { run } = attentionCall(ways, ways, { ...inputs, out: ways.tensor(queryDims, { type }) });
    ways.resident({ ...about, truth, run, first: () => ({ y: pe.toFloat32(run()).data.slice() }) });
  }
}

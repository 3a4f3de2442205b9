// Ways to rotate queries.

export const addressOf = (tensor) => tensor.data.byteOffset;

/** Addresses of ready cosines and sines, [positions, dim / 2]. */
const tableAddresses = (ways) =>
  [ways.cos, ways.sin].map((table) => addressOf(ways.tensor(table, [ways.size.positions, ways.size.dim / 2])));

function limitByMultiply(ways, tensor) {
  const { mainLimits } = ways;
  const [address, length] = [addressOf(tensor), tensor.size];
  const run = () => mainLimits.multiply(address, length, 0.99999994);
  ways.limit("multiply", "in-place multiply of the same buffer", run);
}

export function rope(ways) {
  const { size, x, mainLimits } = ways;
  const { offset, positions, heads, dim } = size;
  const dims = [1, positions, heads, dim];
  const encoding = ways.create({ ...ways.spec, dim });
  const addresses = tableAddresses(ways);
  const inPlace = (target) => ({
    run: () => encoding.apply(target, { layout: "bthd", offset }),
    first() {
      target.data.set(x);
      encoding.apply(target, { layout: "bthd", offset });
      return { y: target.data.slice() };
    },
  });
  const tensor = ways.tensor(dims);
  ways.resident(inPlace(tensor));
  ways.arrays(inPlace({ data: x.slice(), dims }));
  const address = addressOf(tensor);
  if (!mainLimits) return;
  limitByMultiply(ways, tensor);
  const prepare = () => tensor.data.set(x);
  const results = () => ({ y: tensor.data.slice() });
  // Which of both is faster depends on the size and on the processor: the library is compared with the faster one.
  for (const order of ["columns", "rows"]) {
    const rotate = mainLimits[`rotate_${ways.spec.pairing}_by_${order}`];
    const run = () => rotate(address, ...addresses, positions, heads, dim);
    ways.tuned(run, prepare, results, `a kernel without API, by ${order}`);
  }
}

/** Rotations in either layout, and kernels that go one row after the other in the order of memory. */
export function ropeLayout(ways) {
  if (!ways.isMain) return;
  const { size, head, layout, mainLimits } = ways;
  const { offset, positions, heads, dim } = size;
  const headsLast = layout === "bthd";
  const encoding = ways.create({ ...ways.spec, dim });
  const tensor = ways.tensor(headsLast ? [1, positions, heads, dim] : [1, heads, positions, dim]);
  const prepare = () => {
    for (let row = 0; row < positions * heads; row++) {
      const t = headsLast ? Math.floor(row / heads) : row % positions;
      tensor.data.set(head.subarray(t * dim, (t + 1) * dim), row * dim);
    }
  };
  const results = () => ({ y: tensor.data.slice() });
  const run = () => encoding.apply(tensor, { layout, offset });
  const first = () => {
    prepare();
    run();
    return results();
  };
  ways.resident({ run, first });
  if (!mainLimits) return;
  const address = addressOf(tensor);
  limitByMultiply(ways, tensor);
  const tables = tableAddresses(ways);
  const rotate = mainLimits[`rotate_${ways.spec.pairing}_by_rows`];
  const byRows = () => {
    if (headsLast) return rotate(address, ...tables, positions, heads, dim);
    for (let h = 0; h < heads; h++) rotate(address + 4 * h * positions * dim, ...tables, positions, 1, dim);
  };
  ways.tuned(byRows, prepare, results, "a kernel without API, by rows");
}

/** Rotations of one token, each call at another place. */
export function rotating(ways) {
  if (!ways.isMain) return;
  const { size, x } = ways;
  for (const { spec, offsetOf, label, role, truth } of ways.rotating) {
    const encoding = ways.create(spec);
    const tensor = ways.tensor([1, size.positions, size.heads, size.dim]);
    const apply = (call) => encoding.apply(tensor, { layout: "bthd", offset: offsetOf(call) });
    let calls = 0;
    ways.resident({
      run: () => apply(calls++),
      first() {
        tensor.data.set(x);
        return { y: apply(0).data.slice() };
      },
      label,
      role,
      truth,
    });
  }
}

export function ropeSixteen(ways) {
  if (!ways.isMain) return;
  const { x, size, pe, truth } = ways;
  const dims = [1, size.positions, size.heads, size.dim];
  const encoding = ways.create({ kind: "rope", dim: size.dim });
  for (const { type, ...about } of ways.types) {
    const tensor = ways.tensor(dims, { type });
    const given = pe.tensor(x, dims, { type });
    const run = () => encoding.apply(tensor, { layout: "bthd", offset: size.offset });
    ways.resident({
      ...about,
      truth,
      run,
      first() {
        tensor.data.set(given.data);
        given.dispose();
        return { y: pe.toFloat32(run()).data.slice() };
      },
    });
  }
}

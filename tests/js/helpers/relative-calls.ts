// Every call of relative encodings with all the tensors it can take; see `tensor-calls.ts`.
import type { TensorLike } from "posenc";
import { createRelative, type AnyRelative } from "./library";
import { call, gates, heads, none, outOf, square, type Calls } from "./tensor-call";

export const shaw = createRelative({ kind: "shaw", dim: 4, maxDistance: 9 });
export const cope = createRelative({ kind: "cope", dim: 4 });
export const pope = createRelative({ kind: "pope", dim: 4, heads: 2 });
export const gated = createRelative({ kind: "data-dependent-alibi", dim: 4, heads: 2 });
export const grape = createRelative({ kind: "grape-a", dim: 4, heads: 2 });
export const rowed = createRelative({ kind: "per-row-alibi", dim: 4, heads: 2, gateDim: 2 });
export const path = createRelative({ kind: "path", dim: 4 });
export const inkling = createRelative({ kind: "inkling", relativeDim: 4, extent: 3 });
export const mixed = createRelative({ kind: "rope-mixed", dim: 4, heads: 2, axes: 1 });

const twoHeads = () => {
  const x = { data: Float32Array.from({ length: 24 }, (_, i) => Math.sin(i)), dims: heads };
  return [x, x] as const;
};

export const relative: Calls<AnyRelative> = {
  ...none,
  load: [
    call({ keys: [19, 4], values: [19, 4] }, ({ keys, values }) => {
      const { size } = shaw.parameters["keys"]!;
      const cut = ({ data }: TensorLike) => data.subarray(0, size);
      return shaw.load({ keys: cut(keys), values: cut(values) }).logits(...twoHeads());
    }),
  ],
  logits: [
    call({ q: heads, k: heads, gateKeys: heads, out: square }, ({ q, k, gateKeys, out }) =>
      cope.logits(q, k, { gateKeys, out }),
    ),
    call({ q: heads, k: heads, positions: [3], out: square }, ({ q, k, positions, out }) =>
      shaw.logits(q, k, { positions: positions.data, out }),
    ),
  ],
  backward: [
    call(
      {
        ...{ q: heads, k: heads, gateKeys: heads, gradOut: square },
        ...{ "out.q": heads, "out.k": heads, "out.gateKeys": heads },
      },
      (t) => cope.backward(t.q, t.k, t.gradOut, { gateKeys: t.gateKeys, out: outOf(t) as never }),
    ),
  ],
  contextPositions: [
    call({ q: heads, k: heads, gateKeys: heads, out: square }, ({ q, k, gateKeys, out }) =>
      cope.contextPositions(q, k, { gateKeys, out }),
    ),
  ],
  logGates: [call({ x: [1, 3, 4], out: gates }, ({ x, out }) => gated.logGates(x, { out }))],
  logGatesBackward: [
    call({ x: [1, 3, 4], gradOut: gates, out: [1, 3, 4] }, ({ x, gradOut, out }) =>
      gated.logGatesBackward(x, gradOut, { out }),
    ),
  ],
  gateRows: [call({ x: [1, 3, 4], out: heads }, ({ x, out }) => rowed.gateRows(x, { out }))],
  gateRowsBackward: [
    call({ x: [1, 3, 4], gradOut: heads, out: [1, 3, 4] }, ({ x, gradOut, out }) =>
      rowed.gateRowsBackward(x, gradOut, { out }),
    ),
  ],
  biasOfRows: [call({ gateRows: heads, out: square }, ({ gateRows, out }) => rowed.biasOfRows(gateRows, { out }))],
  relativeLogits: [
    call({ relativeStates: heads, positions: [3], out: square }, ({ relativeStates, positions, out }) =>
      inkling.relativeLogits(relativeStates, { at: { positions: positions.data }, out }),
    ),
  ],
  biasOf: [call({ q: heads, k: heads, out: square }, ({ q, k, out }) => grape.biasOf(q, k, { out }))],
  bias: [call({ logGates: gates, out: square }, ({ logGates, out }) => gated.bias(logGates, { out }))],
  bucketOf: [call({ distances: [3] }, ({ distances }) => shaw.bucketOf(distances.data.map(Math.round)))],
  expand: [
    call({ x: heads, positions: [3], out: [1, 2, 3, 8] }, ({ x, positions, out }) =>
      pope.expand(x, { role: "key", positions: positions.data, out }),
    ),
  ],
  apply: [call({ x: heads, positions: [3] }, ({ x, positions }) => mixed.apply(x, { positions: positions.data }))],
  applyBackward: [
    call({ x: heads, gradOut: heads, positions: [3], out: heads }, ({ x, gradOut, positions, out }) =>
      mixed.applyBackward(x, gradOut, { positions: positions.data, out }),
    ),
  ],
};

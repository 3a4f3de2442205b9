// ALiBi: slopes, and the forms of the bias that code bases add.
import { joinBlocks, pickColumns, reshape, toNumbers, vector } from "../arrays.mjs";
import { needKind } from "../needs.mjs";
import { checkFact } from "../restated.mjs";

const create = (pe, spec) => {
  needKind(pe, "alibi");
  return pe.create({ kind: "alibi", ...spec });
};

// h<heads>, h<heads>_bloom, h<heads>_mpt: three code bases, the same slopes.
function runSlopeTable(pe, parsed) {
  const { params, targets } = parsed;
  const counts = Object.keys(targets).map((name) => Number(/^h(\d+)/.exec(name)?.[1]));
  checkFact(parsed, "heads", [...new Set(counts)]);
  const outputs = {};
  for (const name of Object.keys(targets)) {
    const [, heads] = /^h(\d+)(?:_(?:bloom|mpt))?$/.exec(name) ?? [];
    if (!heads) continue;
    outputs[name] = () => vector(create(pe, { heads: Number(heads), maxBias: params.alibi_bias_max ?? 8 }).slopes);
  }
  return outputs;
}

function runSlopes(pe, { params }) {
  const encoding = () => create(pe, { heads: params.n_heads, maxBias: params.alibi_bias_max ?? 8 });
  return { slopes: () => vector(encoding().slopes) };
}

// Bloom adds slope * (index of the key among the keys that are no padding), per batch row: [batch * heads, 1, keys].
function runKeyPositions(pe, { params, inputs }) {
  const mask = inputs.attention_mask;
  const [, keys] = mask.dims;
  const encoding = create(pe, { heads: params.num_heads, form: "key-absolute" });
  const bias = () => {
    const ids = toNumbers(pe.positionIds(mask).data);
    const rows = Array.from({ length: mask.dims[0] }, (_, row) => ids.slice(row * keys, (row + 1) * keys));
    return joinBlocks(rows.map((keyPositions) => encoding.bias({ queries: 1, keys, keyPositions })));
  };
  // Falcon rounds to bfloat16 on the way; its truth is the same.
  return { alibi: bias, alibi_falcon: bias };
}

// The same without padding, a few columns of a long row: [heads, columns].
function runKeyColumns(pe, { params }) {
  const { num_heads: heads, seq_length: keys, columns } = params;
  const encoding = create(pe, { heads, form: "key-absolute" });
  const bias = () => {
    const picked = pickColumns(encoding.bias({ queries: 1, keys }), columns);
    return reshape(picked, [heads, columns.length]);
  };
  return { alibi: bias, alibi_falcon: bias };
}

// MPT counts from the last key; its full form is the distance.
function runMpt(pe, { params }) {
  const { num_heads: heads, sequence_length: keys, alibi_bias_max: maxBias } = params;
  const last = () => create(pe, { heads, maxBias, form: "key" }).bias({ queries: 1, keys });
  const full = () => create(pe, { heads, maxBias, form: "relative" }).bias({ queries: keys, keys });
  return { alibi_hf: last, alibi_foundry: last, alibi_full: full };
}

// NeMo gives slopes to the first heads only; causal models get one row for all queries.
function runNemo(pe, { params }) {
  const { num_attention_heads: heads, num_attention_heads_alibi: activeHeads, key_len: keys } = params;
  const queries = params.bidirectional ? params.query_len : 1;
  const form = params.bidirectional ? "relative" : "key";
  const bias = () => create(pe, { heads, activeHeads, form }).bias({ queries, keys });
  return { bias: () => reshape(bias(), [1, heads, queries, keys]) };
}

export const ALIBI = [
  { matches: ({ params }) => "num_attention_heads_alibi" in params, run: runNemo },
  { matches: ({ inputs }) => "attention_mask" in inputs, shapes: { attention_mask: "batch T" }, run: runKeyPositions },
  { matches: ({ params }) => "columns" in params && "seq_length" in params, run: runKeyColumns },
  { matches: ({ params }) => "sequence_length" in params, run: runMpt },
  { matches: ({ params }) => "n_heads" in params, run: runSlopes },
  { matches: ({ targets }) => Object.keys(targets).every((name) => /^h\d+/.test(name)), run: runSlopeTable },
];

// What all rotary cases share: the tables, frequencies and rotations of one encoding.
import { toNumbers, vector } from "../arrays.mjs";
import { headAxes, rotated } from "../tensors.mjs";

const BY_LENGTH = new Set(["rope-dynamic", "rope-qwen", "rope-longrope"]);

// Outputs that name a pair layout of their own; the others use the one of the case.
const PAIRING_OF_SUFFIX = { half: "half", interleaved: "interleaved", interleaved_complex: "interleaved" };

/** What the encoding is asked for: the stored positions, or the first `count`. */
export function positionsOf({ params, inputs }) {
  if (inputs.positions) return { positions: inputs.positions.data };
  if (params.positions) return { positions: params.positions };
  return {};
}

/**
 * The outputs of any rotary case. `encodingFor(pairing)` makes the encoding in a pair layout, `at` says where the
 * tokens stand, `count` how many there are, and `fallback` which axes a tensor has when nothing else tells.
 */
export function rotaryOutputs(parsed, encodingFor, { at = positionsOf(parsed), count, fallback } = {}) {
  const encoding = encodingFor();
  // Positions with several axes come as one array for each.
  const positions = at.positions && (typeof at.positions[0] === "object" ? [] : toNumbers(at.positions));
  const tokens = count ?? positions?.length;
  const length = at.sequenceLength ?? (positions?.length ? Math.max(...positions) + 1 : tokens);
  const frequencies = () =>
    vector(BY_LENGTH.has(encoding.kind) ? encoding.frequenciesAt(length) : encoding.inverseFrequencies);
  const factor = () => vector([encoding.attentionFactor]);
  const where = positions ? at : { ...at, length: tokens };
  const outputs = {
    inv_freq: frequencies,
    attention_factor: factor,
    concentration: factor,
    mscale: factor,
    cos: () => encoding.tables(where).cos,
    sin: () => encoding.tables(where).sin,
  };
  for (const name of Object.keys(parsed.targets)) {
    const [, input, suffix] = /^([qk])_(rot|half|interleaved|interleaved_complex)$/.exec(name) ?? [];
    const array = parsed.inputs[input];
    if (!array) continue;
    outputs[name] = () => {
      const axes = headAxes(parsed, array.dims, tokens, fallback);
      const role = input === "q" ? "query" : "key";
      return rotated(encodingFor(PAIRING_OF_SUFFIX[suffix]), array, axes, { ...at, role });
    };
  }
  return outputs;
}

/** The encodings of one spec in any pair layout. */
export const specIn =
  (pe, spec) =>
  (pairing = spec.pairing) =>
    pe.create({ ...spec, pairing });

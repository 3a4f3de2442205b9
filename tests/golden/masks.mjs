// Who sees whom: from a case's parameters and masks to the options of a call.

import { toNumbers } from "./arrays.mjs";
import { Unsupported } from "./needs.mjs";

// The smallest float16 is -65504; libraries also add -10000.
const MASKED = -1e4;

/** How many queries and keys a case has. */
export const lengthsOf = ({ inputs }) => ({ queries: inputs.q.dims.at(-2), keys: inputs.k.dims.at(-2) });

/** Which keys a rule for query i and key j shows, [queries, keys]. */
export function visibleKeys({ queries, keys }, rule) {
  const data = new Uint8Array(queries * keys);
  for (let i = 0; i < queries; i++) for (let j = 0; j < keys; j++) data[i * keys + j] = rule(i, j) ? 1 : 0;
  return data;
}

/** For all batch rows and heads. */
export function maskOf(visible, parsed) {
  const { queries, keys } = lengthsOf(parsed);
  return { data: visible, dims: [queries, keys] };
}

/**
 * By the rule that the options tell and, where a case has it, by the mask that comes of it: each alone, so that neither
 * hides what is wrong with the other.
 */
export const ruleAndMask = ({ causal, window, ...rest }, mask) => [
  ...(mask && causal === undefined && window === undefined ? [] : [{ causal, window, ...rest }]),
  ...(mask ? [{ ...rest, mask }] : []),
];

/**
 * Hugging Face's attention_mask as options of a call: [batch, keys], [batch, 1, 1, keys], or for all queries. Integers: 0
 * is masked. Floats: the same if [batch, keys] holds 0 and 1, otherwise 0 is visible and a large negative value masked.
 */
export function attentionMaskOf(array, batch) {
  if (!array) return {};
  const { dims, dtype } = array;
  const values = toNumbers(array.data);
  const isFlag = (one) => one === 0 || one === 1;
  const isAdded = dtype.startsWith("float") && !(dims.length === 2 && values.every(isFlag));
  if (isAdded && !values.every((one) => one === 0 || one <= MASKED))
    throw new Unsupported("an attention_mask with values that are added to scores is not mapped");
  const data = Uint8Array.from(values, (one) => Number(isAdded ? one === 0 : one !== 0));
  const isOfKeys = dims[0] === batch && dims.slice(1, -1).every((size) => size === 1);
  return isOfKeys ? { attentionMask: { data, dims: [dims[0], dims.at(-1)] } } : { mask: { data, dims } };
}

/** A stored mask [queries, keys], for all batch rows and heads. */
export const storedMask = (array, parsed) => array && maskOf(array.data, parsed);

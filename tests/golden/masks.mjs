// Who sees whom: from a case's parameters and masks to the options of a call.

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

/** A stored mask [queries, keys], for all batch rows and heads. */
export const storedMask = (array, parsed) => array && maskOf(array.data, parsed);

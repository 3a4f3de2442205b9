// How far a result is from what a case stores.

/** Largest absolute difference; anything that is not a number on one side only counts as infinite. */
export function maxError(actual, expected) {
  let worst = 0;
  for (let index = 0; index < expected.length; index++) {
    const got = Number(actual[index]);
    const want = Number(expected[index]);
    if (Object.is(got, want)) continue;
    const error = Math.abs(got - want);
    if (!(error <= worst)) worst = Number.isNaN(error) ? Infinity : error;
  }
  return worst;
}

const sameDims = (left, right) => left.length === right.length && left.every((dim, axis) => dim === right[axis]);

/**
 * One output against the case: with the truth where the case has one, with the reference otherwise.
 * @returns {{name: string, against: string, error: number, tolerance: number, ok: boolean, reason?: string}}
 */
export function compareOutput(name, actual, target) {
  const { dims, data } = target.array;
  const report = { name, against: target.against, tolerance: target.tolerance };
  if (!sameDims([...actual.dims], dims) || actual.data.length !== data.length) {
    const reason = `shape [${[...actual.dims]}] where [${dims}] is expected`;
    return { ...report, error: Infinity, ok: false, reason };
  }
  const error = maxError(actual.data, data);
  return { ...report, error, ok: error <= target.tolerance };
}

/** An output that could not be made, and what that means for its case. */
export const failedOutput = (name, { against, tolerance }, verdict) => ({
  name,
  against,
  tolerance,
  error: Infinity,
  ok: false,
  reason: verdict.reason,
  verdict,
});

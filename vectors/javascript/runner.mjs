// Runs an engine over the cases and compares each output. No Node imports: the same file runs in browsers.

const types = { float64: Float64Array, int64: Int32Array };

/** Inputs that engines get as float32. Positions and frequencies keep their precision: engines round them if they have to. */
const values = new Set(["x", "dy", "q", "k", "v", "keys"]);

/** Thrown by an engine for a call that it does not have. */
export class NotOffered extends Error {}

/** An array of a case. Whole numbers are Int32Array. */
export function arrayOf({ shape, dtype, values: data }) {
  return { dims: [...shape], data: types[dtype].from(data) };
}

/** The inputs of a case, each as `{ dims, data }`. */
export function inputsOf(vector) {
  const entries = Object.entries(vector.inputs).map(([name, stored]) => {
    const { dims, data } = arrayOf(stored);
    return [name, { dims, data: values.has(name) ? Float32Array.from(data) : data }];
  });
  return Object.fromEntries(entries);
}

/** The tolerance of a level. Whole numbers and frequencies have one for all levels. */
export const toleranceOf = ({ tolerance }, level) => tolerance[level] ?? tolerance.strict;

const rounded = (error) => (error < 1e-3 ? error.toExponential(2) : error.toPrecision(3));

/** Why an output is wrong, or undefined. */
export function faultOf(name, got, stored, { absolute, relative }) {
  const { shape, values: want } = stored;
  if (!got) return `${name} is missing`;
  if ([...got.dims].join() !== shape.join() || got.data.length !== want.length)
    return `${name}: shape [${[...got.dims]}] instead of [${shape}]`;
  let [wrong, largest] = [0, 0];
  for (const [i, expected] of want.entries()) {
    // null: any value, such as the position of padding.
    if (expected === null) continue;
    const error = Math.abs(Number(got.data[i]) - expected);
    if (!(error <= absolute + relative * Math.abs(expected))) wrong++;
    if (!(error <= largest)) largest = error;
  }
  if (wrong > 0) return `${name}: ${wrong} of ${want.length} values wrong, largest error ${rounded(largest)}`;
  return undefined;
}

/**
 * Runs one case.
 * @param engine A function per operation, by its name: `(inputs, parameters) => outputs`, or a promise of them.
 * @param vector A case.
 * @param options `level`: "strict", "float32", "float16" or "bfloat16".
 * @returns `{ status: "passed" | "failed" | "not offered", reason }`.
 */
export async function runCase(engine, vector, { level = "strict" } = {}) {
  const operation = engine[vector.operation];
  if (!operation) return { status: "not offered", reason: vector.operation };
  try {
    const outputs = await operation(inputsOf(vector), vector.parameters);
    for (const [name, stored] of Object.entries(vector.outputs)) {
      const reason = faultOf(name, outputs[name], stored, toleranceOf(vector, level));
      if (reason) return { status: "failed", reason };
    }
    return { status: "passed", reason: "" };
  } catch (error) {
    if (error instanceof NotOffered) return { status: "not offered", reason: error.message };
    return { status: "failed", reason: String(error) };
  }
}

/** Runs all cases; returns `[{ vector, status, reason }]`. */
export async function runCases(engine, vectors, options) {
  const results = [];
  for (const vector of vectors) results.push({ vector, ...(await runCase(engine, vector, options)) });
  return results;
}

// Cases with one thing changed: what the runner must not pass. No node imports: the tests run it in browsers, too.
import { decodeArray } from "./arrays.mjs";

const TRUTH = "__truth";

const encode = (data) => {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

/** The stored array with the number at `index` changed. */
function withNumber(stored, index, change) {
  const { data } = decodeArray(stored, "array");
  data[index] = change(data[index], stored.dtype);
  return { ...stored, data_base64: encode(data) };
}

const replaced = (json, section, name, value) => ({ ...json, [section]: { ...json[section], [name]: value } });

const sizeOf = (stored) => stored.shape.reduce((product, dim) => product * dim, 1);

/** The case with each output that is compared off by more than its tolerance, in one number. */
export function changedOutputs(json, random) {
  const compared = Object.keys(json.outputs).filter((name) => name.endsWith(TRUTH) || !(name + TRUTH in json.outputs));
  const far = (name) => (value, dtype) => {
    if (dtype === "int64") return value + 1n;
    if (!dtype.startsWith("float")) return value + 1;
    return Number.isFinite(value) ? value + Math.max(4 * json.tolerance[name], 1e-6 * Math.abs(value), 1e-9) : 0;
  };
  return compared
    .filter((name) => sizeOf(json.outputs[name]) > 0)
    .reduce((changed, name) => {
      const index = Math.floor(random() * sizeOf(json.outputs[name]));
      return replaced(changed, "outputs", name, withNumber(json.outputs[name], index, far(name)));
    }, json);
}

/**
 * Each input with one number changed, in `tries` cases with different ones: some a mask may hide. As changedParameters():
 * `{ what, tries }`, where each try makes its case.
 */
export function changedInputs(json, random, tries) {
  const other = (value, dtype) => {
    if (dtype === "int64") return value === 0n ? 1n : value - 1n;
    if (dtype === "uint8") return 1 - value;
    return value + 1;
  };
  return Object.entries(json.inputs)
    .filter(([, stored]) => sizeOf(stored) > 0)
    .map(([name, stored]) => ({
      what: `inputs.${name}`,
      tries: Array.from({ length: tries }, () => () => {
        const index = Math.floor(random() * sizeOf(stored));
        return replaced(json, "inputs", name, withNumber(stored, index, other));
      }),
    }));
}

const others = (value) => [Number.isInteger(value) ? value + 1 : value * 1.25, value * 2 + 1];

/** Each number and truth value among the parameters changed, however deep it lies. */
export function changedParameters(json) {
  const changes = [];
  const visit = (value, path, put) => {
    if (typeof value === "number") changes.push([path, ...others(value).map((other) => () => put(other))]);
    else if (typeof value === "boolean") changes.push([path, () => put(!value)]);
    else if (Array.isArray(value))
      value.forEach((item, i) => visit(item, `${path}[${i}]`, (next) => put(value.with(i, next))));
    else if (value !== null && typeof value === "object")
      for (const [name, item] of Object.entries(value))
        visit(item, `${path}.${name}`, (next) => put({ ...value, [name]: next }));
  };
  visit(json.params, "params", (params) => ({ ...json, params }));
  return changes.map(([what, ...tries]) => ({ what, tries }));
}

// Keys that are equal for calls with equal values.

const numbers = new WeakMap<object, number>();
let count = 0;

/** Whether the encoding has learned parameters, which may have changed. */
const canChange = (encoding: object): boolean =>
  Object.keys((encoding as { parameters?: object }).parameters ?? {}).length > 0;

/** Describes runs of consecutive numbers by their starts; undefined if there are many runs. */
function runsOf(list: ArrayLike<unknown>): string | undefined {
  const starts: string[] = [];
  for (let i = 0; i < list.length; i++) {
    if (typeof list[i] !== "number") return undefined;
    if (i > 0 && list[i] === (list[i - 1] as number) + 1) continue;
    if (starts.push(`${i}:${String(list[i])}`) > 8) return undefined;
  }
  return `${starts.join()} of ${list.length}`;
}

function textOf(value: unknown): string | undefined {
  // Include the type: a valid number is not valid as a string.
  if (value === null || typeof value !== "object") return `${typeof value} ${String(value)}`;
  // Grids, dims and positions of cached tokens; other arrays are compared element by element.
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView)))
    return runsOf(value as unknown as ArrayLike<unknown>);
  if (!("family" in value) || canChange(value)) return undefined;
  const number = numbers.get(value) ?? ++count;
  numbers.set(value, number);
  return `#${number}`;
}

/** Returns equal keys for calls with equal values from the core; undefined if that is unknown without a call. */
export function keyOf(encoding: object, options: object): string | undefined {
  if (canChange(encoding)) return undefined;
  const parts = Object.entries(options).map(([name, value]) => {
    const text = textOf(value);
    return text === undefined ? undefined : `${name}=${text}`;
  });
  return parts.includes(undefined) ? undefined : parts.join(";");
}

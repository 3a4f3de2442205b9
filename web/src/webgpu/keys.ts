// What two calls have in common, as text.

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
  // The type, too: what is valid as a number is not as text.
  if (value === null || typeof value !== "object") return `${typeof value} ${String(value)}`;
  // Grids, dims, and the positions of what is cached; others are compared one by one.
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

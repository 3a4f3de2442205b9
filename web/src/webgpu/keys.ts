// What two calls have in common, as text.

const numbers = new WeakMap<object, number>();
let count = 0;

/** Learned numbers may have changed since. */
const canChange = (encoding: object): boolean =>
  Object.keys((encoding as { parameters?: object }).parameters ?? {}).length > 0;

function textOf(value: unknown): string | undefined {
  if (value === null || typeof value !== "object") return String(value);
  // Grids and dims; positions are compared one by one.
  if (Array.isArray(value))
    return value.length <= 8 && value.every((n) => typeof n === "number") ? value.join() : undefined;
  if (!("family" in value) || canChange(value)) return undefined;
  const number = numbers.get(value) ?? ++count;
  numbers.set(value, number);
  return `#${number}`;
}

/** The same for calls that get the same numbers from the core; undefined where nobody can tell without asking it. */
export function keyOf(encoding: object, options: object): string | undefined {
  if (canChange(encoding)) return undefined;
  const parts = Object.entries(options).map(([name, value]) => {
    const text = textOf(value);
    return text === undefined ? undefined : `${name}=${text}`;
  });
  return parts.includes(undefined) ? undefined : parts.join(";");
}

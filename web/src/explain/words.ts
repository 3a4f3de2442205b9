// Formats numbers and lists for the sentences about encodings.

/** Formats a measured number with four digits and separators of thousands. */
export function about(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "infinitely many" : String(value);
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e15)) return value.toPrecision(3);
  const rounded = Math.abs(value) >= 1e4 ? Math.round(value) : Number(value.toPrecision(4));
  return String(rounded).replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
}

// Not Math.min(...values): the number of arguments of a call is limited.

/** The smallest of any number of values; Infinity for none. */
export const least = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((low, value) => Math.min(low, value), Infinity);

/** The largest of any number of values; -Infinity for none. */
export const most = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((high, value) => Math.max(high, value), -Infinity);

/** Formats the range of some slopes. */
export const extent = (values: ArrayLike<number>): string => {
  const [low, high] = [least(values), most(values)];
  return low === high ? `of ${about(low)}` : `from ${about(high)} down to ${about(low)}`;
};

/** Formats the first few values and the last one. */
export const list = (values: ArrayLike<number>, count = 4): string => {
  const first = Array.from(values).slice(0, count).map(about).join(", ");
  return values.length > count ? `${first} … ${about(values[values.length - 1]!)}` : first;
};

export const plural = (count: number, name: string): string => `${about(count)} ${name}${count === 1 ? "" : "s"}`;

/** Formats the smallest and the largest value. */
export function range(values: ArrayLike<number> | number): string {
  const numbers = typeof values === "number" ? [values] : Array.from(values);
  const [low, high] = [least(numbers), most(numbers)];
  return low === high ? about(low) : `${about(low)} to ${about(high)}`;
}

/** Returns the text for the choice of a field. */
export const choose = (choice: string, texts: Record<string, string>): string => texts[choice]!;

/** Joins the parts that apply. */
export const and = (...parts: (string | false)[]): string => parts.filter(Boolean).join(" and ");

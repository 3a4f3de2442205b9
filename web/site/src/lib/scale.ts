// Ticks and extents of the axes, and lines between them.

/** Round numbers in [low, high], about `count` of them; two at least where there is room for two, or they tell no scale. */
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / Math.max(1, count);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough)!;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  if (last <= first && count > 1) return ticks(low, high, 2 * count);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Whole-number ticks for rows and columns: never between two of them. */
export function indexTicks(size: number, count: number): number[] {
  return ticks(0, size - 1, count).filter(Number.isInteger);
}

/** The smallest and the largest value; gaps (NaN) do not count. */
export function extent(lists: ArrayLike<number>[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const list of lists) {
    for (let index = 0; index < list.length; index += 1) {
      if (Number.isNaN(list[index])) continue;
      low = Math.min(low, list[index]);
      high = Math.max(high, list[index]);
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

/** An SVG path through points in pixels, broken where one of them cannot be drawn. */
export function linePath(count: number, pointAt: (index: number) => readonly [number, number]): string {
  let line = "";
  let pen = "M";
  for (let index = 0; index < count; index += 1) {
    const [x, y] = pointAt(index);
    const drawn = Number.isFinite(x) && Number.isFinite(y);
    if (drawn) line += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = drawn ? "L" : "M";
  }
  return line;
}

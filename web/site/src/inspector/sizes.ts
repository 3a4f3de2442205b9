// Bytes and times as text.
import { fixed } from "../lib/format.ts";

export function size(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1024).toPrecision(3)} KB`;
  return bytes < 1e9 ? `${(bytes / 1048576).toFixed(1)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`;
}

/** An estimate of a size: two digits. */
export function about(bytes: number): string {
  const [unit, name] = bytes < 1e9 ? [1048576, "MB"] : [2 ** 30, "GB"];
  return `${Number((bytes / unit).toPrecision(2))} ${name}`;
}

/** An estimate has one digit, or two from 20 on. */
export function rough(value: number): string {
  if (value < 1) return "1";
  return fixed(Number(value.toPrecision(value < 20 ? 1 : 2)), 0);
}

// Numbers as text, the same in both languages.

const minus = (text: string) => text.replaceAll("-", "\u2212");
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A fixed number of decimals, with a real minus sign. */
export function fixed(value: number, decimals: number): string {
  const rounded = value.toFixed(decimals);
  return minus(Number(rounded) === 0 ? rounded.replace("-", "") : rounded);
}

/** Three significant digits without exponents: 6.28, 62.8, 6283. */
export function short(value: number): string {
  const size = Math.abs(value);
  return minus(size >= 100 ? grouped(Math.round(value)) : String(Number(value.toPrecision(3))));
}

/** Groups of three from five digits on, as usual in science: 4096, 32 768. */
export function grouped(value: number): string {
  const digits = String(value);
  return minus(Math.abs(value) < 1e4 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, "\u202F"));
}

/** For the ear: spaces between groups of three would make several numbers of one. */
export const heard = (text: string): string => text.replaceAll("\u202F", "");

/** An angle in whole degrees of one turn, from 0 on. */
export function degrees(radians: number): string {
  const turn = Math.round((radians * 180) / Math.PI) % 360;
  return String(turn < 0 ? turn + 360 : turn);
}

/** A text of the library, with large numbers as this site writes them. */
export const regrouped = (text: string): string =>
  text.replace(/(?<![\d.])(\d{1,3}(,\d{3})+|\d{5,})(?![\d.]*\d)/g, (number) =>
    grouped(Number(number.replaceAll(",", ""))),
  );

const raised = (exponent: number) =>
  (exponent < 0 ? "⁻" : "") + [...String(Math.abs(exponent))].map((digit) => superscripts[Number(digit)]).join("");

/** Small differences as powers of ten: 1.2 × 10⁻⁷, never broken over two lines; larger ones as decimals. */
export function difference(value: number): string {
  if (value === 0) return "0";
  if (Math.abs(value) >= 0.001) return fixed(value, 3);
  const [factor, exponent] = value.toExponential(1).split("e");
  return `${minus(factor)}\u00A0×\u00A010${raised(Number(exponent))}`;
}

export function milliseconds(value: number): string {
  if (value >= 10) return value.toFixed(0);
  return value >= 1 ? value.toFixed(1) : value >= 0.01 ? value.toFixed(2) : value.toFixed(3);
}

/** Six significant digits: for tables that are to be read off, copied and compared. */
export function precise(value: number): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : minus("-∞");
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return minus(value.toExponential(4));
  return minus(String(Number(value.toPrecision(6))));
}

/** Ticks of axes: whole powers of ten from 10⁵ on and below 0.001, plain numbers between, unless `powers` asks for powers there, too. */
export function tickText(value: number, powers = false): string {
  const size = Math.abs(value);
  if (size === 0 || size === 1 || (!powers && size >= 1e-3 && size < 1e5)) return short(value);
  const exponent = Math.floor(Math.log10(size) + 1e-9);
  const factor = Number((value / 10 ** exponent).toPrecision(3));
  const power = `10${raised(exponent)}`;
  return factor === 1 ? power : minus(`${factor} × ${power}`);
}

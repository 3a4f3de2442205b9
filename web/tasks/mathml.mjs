// Converts TeX to MathML at build time: the browser needs no formula library.
import katex from "katex";

/** The space in "sin a", which KaTeX omits from its MathML and browsers do not add. */
const thin = '<mspace width="0.1667em"/>';

/** Bold digits as Unicode characters: browsers do not support the attribute that KaTeX writes. */
const boldDigits = (digits) => digits.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit)));

/** Returns MathML without style attributes, which browsers draw with the reader's fonts. */
export function toMathML(tex, displayMode) {
  const html = katex.renderToString(tex, { output: "mathml", displayMode, strict: "error", throwOnError: true });
  const start = html.indexOf("<math");
  const end = html.indexOf("</math>") + "</math>".length;
  return (
    html
      .slice(start, end)
      .replace(/<annotation[\s\S]*?<\/annotation>/, "")
      .replace(/<\/?semantics>/g, "")
      .replace(/<mn mathvariant="bold">(\d+)<\/mn>/g, (_, digits) => `<mn>${boldDigits(digits)}</mn>`)
      // A sign: browsers space every minus that does not begin a group as a difference.
      .replace(/(<mo[^>]*>[=≈([,]<\/mo>)<mo>−<\/mo>/g, '$1<mo form="prefix">−</mo>')
      .replace(
        /(<\/m(?:i|n|row|sub|sup|subsup)>)(?=<mi(?: mathvariant="normal")?>[a-z]{2,}<\/mi><mo>\u2061<\/mo>)/g,
        `$1${thin}`,
      )
      .replace(/<mo>\u2061<\/mo>(?!<mo|<mspace|<\/)/g, `$&${thin}`)
  );
}

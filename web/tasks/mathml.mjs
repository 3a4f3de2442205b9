// TeX to MathML, at build time: the reader's browser gets finished formulas and no formula library.
import katex from "katex";

/** MathML, which browsers draw with the reader's own fonts and without style attributes. */
export function toMathML(tex, displayMode) {
  const html = katex.renderToString(tex, { output: "mathml", displayMode, strict: "error", throwOnError: true });
  const start = html.indexOf("<math");
  const end = html.indexOf("</math>") + "</math>".length;
  return html
    .slice(start, end)
    .replace(/<annotation[\s\S]*?<\/annotation>/, "")
    .replace(/<\/?semantics>/g, "");
}

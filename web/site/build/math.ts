import katex from "katex";
import type { Plugin } from "vite";

/** Turns TeX into MathML, which browsers draw with the reader's own fonts and without style attributes. */
function toMathML(tex: string, displayMode: boolean): string {
  const html = katex.renderToString(tex, { output: "mathml", displayMode, strict: "error", throwOnError: true });
  const start = html.indexOf("<math");
  const end = html.indexOf("</math>") + "</math>".length;
  return html
    .slice(start, end)
    .replace(/<annotation[\s\S]*?<\/annotation>/, "")
    .replace(/<\/?semantics>/g, "");
}

const escapeForAnyQuotes = (text: string) => text.replace(/[\\"'`]/g, "\\$&");

/**
 * Replaces `$…$` and `$$…$$` in the text files of the pages by MathML, at build time: the reader's browser
 * gets finished formulas and no formula library.
 */
export function math(): Plugin {
  return {
    name: "posenc-site:math",
    enforce: "pre",
    transform(code, id) {
      if (!/\/text\.[\w-]+\.ts$/.test(id.split("?")[0])) return null;
      const render = (displayMode: boolean) => (_: string, tex: string) =>
        // The source is a string literal, where TeX's backslash is written twice.
        escapeForAnyQuotes(toMathML(tex.replace(/\\\\/g, "\\"), displayMode));
      return {
        code: code.replace(/\$\$([^$]+)\$\$/g, render(true)).replace(/\$([^$\n]+)\$/g, render(false)),
        map: null,
      };
    },
  };
}

import type { Plugin } from "vite";
import { toMathML } from "../../tasks/mathml.mjs";

const escapeForAnyQuotes = (text: string) => text.replace(/[\\"'`]/g, "\\$&");

/**
 * `\link{base}{b}` marks a part of a formula, so that it lights up with everything else of that name. MathML has no
 * place for a name but colours: the link goes through TeX as one, and becomes an attribute here.
 */
export function linkedMathML(tex: string, displayMode: boolean): string {
  const coloured = tex.replace(/\\link\{([a-z]+)\}/g, "\\textcolor{link$1}");
  return toMathML(coloured, displayMode).replace(/mathcolor="link([a-z]+)"/g, 'data-link="$1"');
}

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
        escapeForAnyQuotes(linkedMathML(tex.replace(/\\\\/g, "\\"), displayMode));
      return {
        code: code.replace(/\$\$([^$]+)\$\$/g, render(true)).replace(/\$([^$\n]+)\$/g, render(false)),
        map: null,
      };
    },
  };
}

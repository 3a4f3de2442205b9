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

/** A formula in a sentence, with the punctuation after it: browsers would break the line between the two. */
const inline = /\$([^$\n]+)\$([,.;:!?)，。；：、！？）”’]+)?/g;
/** A thousand and more, in prose: a narrow space, as in the figures, and no line break. */
const groups = /(?<=\d) (?=\d{3}(?!\d))/g;
const kept = (math: string, after: string) => (after ? `<span class=kept>${math}${after}</span>` : math);

/**
 * Replaces `$…$` and `$$…$$` in the text files of the pages by MathML, at build time: the reader's browser
 * gets finished formulas and no formula library. Long numbers are kept together on the way.
 */
export function math(): Plugin {
  return {
    name: "posenc-site:math",
    enforce: "pre",
    transform(code, id) {
      if (!/\/text\.[\w-]+\.ts$/.test(id.split("?")[0])) return null;
      // The source is a string literal, where TeX's backslash is written twice.
      const render = (tex: string, displayMode: boolean) =>
        escapeForAnyQuotes(linkedMathML(tex.replace(/\\\\/g, "\\"), displayMode));
      const displayed = code.replace(/\$\$([^$]+)\$\$/g, (_, tex: string) => render(tex, true));
      return {
        code: displayed
          .replace(inline, (_, tex: string, after = "") => kept(render(tex, false), after))
          .replace(groups, "\u202F"),
        map: null,
      };
    },
  };
}

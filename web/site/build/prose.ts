// What the HTML of a page has said need not come again with its script.
import MagicString from "magic-string";
import { parseAst } from "rolldown/parseAst";
import type { Plugin } from "vite";

/** Asks for a text with its prose: `text.en.ts?whole`, and the texts that it is made of. */
const whole = "?whole";
const isText = (id: string) => /\/text\.[\w-]+\.ts$/.test(id);

/** Lists of prose: shown by Prose.svelte alone, from the first moment on and unchanged. */
const said = new Set(["idea", "paragraphs", "points"]);

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/** The strings of the lists called so, wherever they lie below a node. */
function proseIn(node: Node): Node[] {
  const { type, key, value } = node as Node & { key?: { name?: string }; value?: unknown };
  if (type === "Property" && said.has(key?.name ?? "") && isNode(value) && value.type === "ArrayExpression")
    return (value["elements"] as Node[]).filter((element) => typeof element["value"] === "string");
  return Object.values(node).flat().filter(isNode).flatMap(proseIn);
}

/** What is left of a paragraph: whether it is a formula that stands by itself, as Prose.svelte asks. */
const remainder = (html: string) => (/^<math [^>]*display="block"/.exec(html)?.[0] ? '<math display="block">' : "–");

/**
 * Takes the prose out of the texts that scripts bring: the build has written it into the pages, and where Svelte takes a
 * page over it leaves the HTML of `{@html}` as it is. What prerenders pages, and the development server, get it all; so does a
 * page that Svelte cannot take over (`lib/open.ts`).
 */
export function saidOnce(): Plugin {
  return {
    name: "posenc-site:said-once",
    apply: "build",
    enforce: "post",
    resolveId: {
      order: "pre",
      async handler(source, importer) {
        if (!importer?.endsWith(whole) || !isText(source)) return null;
        const found = await this.resolve(source, importer.slice(0, -whole.length), { skipSelf: true });
        return found && found.id + whole;
      },
    },
    transform(code, id) {
      if (!isText(id)) return null;
      const text = new MagicString(code);
      for (const { start, end, value } of proseIn(parseAst(code) as unknown as Node))
        text.overwrite(start, end, JSON.stringify(remainder(String(value))));
      return { code: text.toString(), map: null };
    },
  };
}

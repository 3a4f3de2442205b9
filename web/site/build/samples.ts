// Code samples: `examples/….js?sample` is what a page shows of a program, `….js?run` the same program as a function that can be run.
import { readFileSync } from "node:fs";
import hljs from "highlight.js/lib/core";
import javascript from "highlight.js/lib/languages/javascript";
import MagicString from "magic-string";
import { parseAst } from "rolldown/parseAst";
import type { Plugin } from "vite";
import { withValues, type Constant, type Sample } from "../src/lib/code.ts";

hljs.registerLanguage("javascript", javascript);

interface Range {
  start: number;
  end: number;
}

/** `const length = 16;` at the top of a program: the name, and where its value stands. */
function constantsOf(code: string): (Range & { name: string })[] {
  return parseAst(code).body.flatMap((statement) => {
    if (statement.type !== "VariableDeclaration" || statement.kind !== "const") return [];
    return statement.declarations.flatMap(({ id, init }) =>
      id.type === "Identifier" && init?.type === "Literal" ? [{ name: id.name, start: init.start, end: init.end }] : [],
    );
  });
}

/** The program as a module with `run(print, values)`: it prints to `print`, and constants that `values` names have those. */
export function runnable(code: string): string {
  const program = new MagicString(code);
  const imports: string[] = [];
  for (const statement of parseAst(code).body) {
    if (statement.type !== "ImportDeclaration") continue;
    imports.push(code.slice(statement.start, statement.end));
    program.remove(statement.start, statement.end);
  }
  for (const { name, start } of constantsOf(code)) {
    program.appendLeft(start, `"${name}" in $values ? $values.${name} : `);
  }
  const head = `export async function run($print, $values) {\nconst console = { log: $print, error: $print };\n`;
  program.prepend(`${imports.join("\n")}\n${head}`).append("\n}\n");
  return program.toString();
}

/** The length of the text that HTML shows: tags are nothing, an entity is one character. */
const textLength = (html: string) => html.replace(/<[^>]+>/g, "").replace(/&[^;]+;/g, ".").length;

/** The place in the HTML before which stands so much of its text, and no tag that belongs to what follows. */
function placeOf(html: string, characters: number): number {
  let place = 0;
  for (const [token] of html.matchAll(/<[^>]+>|&[^;]+;|[^<&]/g)) {
    const rest = characters - textLength(html.slice(0, place));
    if (rest === 0 && !token.startsWith("</")) break;
    place += token.length;
  }
  return place;
}

const dictionary = new URL("../../../examples/course/comments.zh-CN.json", import.meta.url);

/** The Chinese of the comments of a program. */
function commentsIn(code: string): Record<string, string> {
  const all = JSON.parse(readFileSync(dictionary, "utf8")) as Record<string, string>;
  return Object.fromEntries(Object.entries(all).filter(([english]) => code.includes(english)));
}

/** What a page shows: HTML with classes, and between its pieces the constants that may have the reader's values. */
export function sampleOf(file: string, source: string): Sample {
  const code = withValues(source, {});
  const html = hljs.highlight(code, { language: "javascript" }).value;
  const pieces: (string | Constant)[] = [];
  let last = 0;
  for (const { name, start, end } of constantsOf(code)) {
    const [from, to] = [placeOf(html, start), placeOf(html, end)];
    const kind = /^<span class="hljs-(\w+)">[^<]*<\/span>$/.exec(html.slice(from, to))?.[1];
    if (!kind) throw new Error(`${file}: the value of ${name} is not one token: ${html.slice(from, to)}`);
    pieces.push(html.slice(last, from), { name, kind, text: code.slice(start, end) });
    last = to;
  }
  return { file, code, pieces: [...pieces, html.slice(last)], comments: commentsIn(code) };
}

export function samples(): Plugin {
  return {
    name: "posenc-site:samples",
    enforce: "pre",
    load(id) {
      const match = /^(.*\/examples\/(.*\.js))\?(sample|run)$/.exec(id);
      if (!match) return null;
      const [, path, file, wanted] = match;
      this.addWatchFile(path);
      const source = readFileSync(path, "utf8");
      return wanted === "run" ? runnable(source) : `export default ${JSON.stringify(sampleOf(file, source))};`;
    },
  };
}

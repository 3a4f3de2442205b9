// Code samples: `examples/….js?sample` is what a page shows of a program, with the one in Python that lies beside it; `….js?run` is
// the program as a function that can be run.
import { existsSync, readFileSync } from "node:fs";
import hljs from "highlight.js/lib/core";
import javascript from "highlight.js/lib/languages/javascript";
import python from "highlight.js/lib/languages/python";
import MagicString from "magic-string";
import { parseAst } from "rolldown/parseAst";
import type { Plugin } from "vite";
import { valueName, withValues, type CodeLanguage, type Constant, type Sample } from "../src/lib/code.ts";

hljs.registerLanguage("javascript", javascript);
hljs.registerLanguage("python", python);

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

/** `length = 16` at the top of a program in Python, by the name that JavaScript has for it. */
function pythonConstantsOf(code: string): (Range & { name: string })[] {
  const assignments = code.matchAll(/^([a-z]\w*) = (-?[\d.]+|"[^"\n]*"|True|False)$/gm);
  return [...assignments].map(({ index, 1: name, 2: value }) => {
    const start = index + name.length + " = ".length;
    return { name: valueName(name), start, end: start + value.length };
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
  const language: CodeLanguage = file.endsWith(".py") ? "python" : "javascript";
  const code = withValues(source, {}, language);
  const html = hljs.highlight(code, { language }).value;
  const pieces: (string | Constant)[] = [];
  let last = 0;
  for (const { name, start, end } of language === "python" ? pythonConstantsOf(code) : constantsOf(code)) {
    const [from, to] = [placeOf(html, start), placeOf(html, end)];
    const kind = /^<span class="hljs-(\w+)">[^<]*<\/span>$/.exec(html.slice(from, to))?.[1];
    if (!kind) throw new Error(`${file}: the value of ${name} is not one token: ${html.slice(from, to)}`);
    pieces.push(html.slice(last, from), { name, kind, text: code.slice(start, end) });
    last = to;
  }
  return { file, language, code, pieces: [...pieces, html.slice(last)], comments: commentsIn(code) };
}

/** A program, and the one in Python of the same name. */
function sampleAt(path: string, file: string, watch: (path: string) => void): Sample {
  const sample = sampleOf(file, readFileSync(path, "utf8"));
  const beside = (name: string) => name.replace(/\.js$/, ".py");
  if (!existsSync(beside(path))) return sample;
  watch(beside(path));
  return { ...sample, python: sampleOf(beside(file), readFileSync(beside(path), "utf8")) };
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
      if (wanted === "run") return runnable(readFileSync(path, "utf8"));
      return `export default ${JSON.stringify(sampleAt(path, file, (other) => this.addWatchFile(other)))};`;
    },
  };
}

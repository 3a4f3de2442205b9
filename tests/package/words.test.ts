// Plain words: what documentation, messages and names must not say, and what they say instead. Code and quoted messages in
// documentation are not checked, nor is the course, whose clocks turn.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe as describeKinds } from "posenc/explain";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { text } from "./documents.ts";

/** Each pattern with the words to use; lookarounds are the senses that the field uses. */
const avoided: [pattern: RegExp, instead: string][] = [
  [/(?<!\bin )\bturn(s|ed|ing)?\b(?! (on|off|out)\b)/, "rotate, undo the rotation"],
  [/(?<!\bin[ -]|decimal |last )\bplaces?\b/, "position, coordinate, index"],
  [/\bstands?\b|\bl(ies|ying)\b|\blie\b/, "is, is stored in"],
  [/\blearned numbers\b/, "learned parameters"],
  [/\bwaves?\b/, "frequencies, sinusoids"],
  [/\bgo(es)? by\b/, "depends on, is determined by"],
  [/\btells?\b|\btold\b/, "returns, reports, shows"],
  [/(?<!known-)\banswers?\b/, "returns"],
  [/\bsees\b|\b(is|are|be) seen\b/, "attends to, visible"],
  [/\bsays nothing\b|\bthat tokens say\b/, "content-dependent"],
  [/\boff by\b/, "error"],
  [/\bcarriers?\b/, "positional component"],
  [/\bmend(s|ed|ing)?\b/, "fix"],
  [/\bwithout end\b|\bfor ever\b/, "unlimited, streaming"],
  [/\bbeside\b|\bkin\b|\bhence\b|\banew\b|\bso many\b|\bbut for\b/, "with, related, therefore, again, except"],
  [/(?<!\bthere )\b(is|are) (no\b(?! (longer|more)\b)|none\b)/, "is not a, invalid, missing"],
  [/\balone\b(?=[.,;:)])/, "only, before the word that it limits"],
  [/\bscribbles?\b|\bworn\b|\bcrew\b|\bthe rooms\b/, "no metaphors outside the course"],
];

const pages = readdirSync(inRoot("web", "docs")).filter((name) => name.endsWith(".md"));
const documents = [
  ...["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md", "tests/README.md", "web/site/README.md"],
  ...pages.map((name) => `web/docs/${name}`),
];

/** Prose without code, links' targets and comments, a paragraph a line. */
const proseOf = (markdown: string): string[] =>
  markdown
    .replaceAll(/^```[^]*?^```$/gm, "")
    .replaceAll(/<!--[^]*?-->/g, "")
    .replaceAll(/`[^`]*`/g, "`code`")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .split(/\n\s*\n|\n(?=[|-])/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " "));

const avoidedIn = (paragraphs: string[], words = avoided): string[] =>
  paragraphs.flatMap((paragraph) =>
    words
      .filter(([pattern]) => pattern.test(paragraph))
      .map(([pattern, instead]) => `"${pattern.exec(paragraph)![0]}" (${instead}): ${paragraph.slice(0, 200)}`),
  );

const docstringsOf = (declarations: string): string[] =>
  [...declarations.matchAll(/\/\*\*[^]*?\*\//g)].map(([comment]) =>
    comment.replaceAll(/`[^`]*`/g, "`code`").replaceAll(/\s*\n\s*\*\s?/g, " "),
  );

describe("plain words", () => {
  it.each(documents)("%s", (file) => expect(avoidedIn(proseOf(text(...file.split("/"))))).toEqual([]));
  it("docstrings of all declarations", () => {
    const files = readdirSync(inRoot("dist", "types"), { recursive: true, encoding: "utf8" });
    const docstrings = files
      .filter((name) => name.endsWith(".d.ts"))
      .flatMap((name) => docstringsOf(text("dist", "types", name)));
    expect(docstrings.length).toBeGreaterThan(1000);
    expect(avoidedIn(docstrings)).toEqual([]);
  });
  it("titles, fields and parameters of all kinds", () => {
    const words = describeKinds().flatMap(({ title, shapes, fields, parameters = [] }) => [
      title,
      shapes ?? "",
      ...[...fields, ...parameters].map(({ doc }) => doc ?? ""),
    ]);
    expect(avoidedIn(words)).toEqual([]);
  });
  it("the help of the program", () => {
    const help = execFileSync(process.execPath, [inRoot("dist", "cli.js"), "--help"], { encoding: "utf8" });
    expect(avoidedIn(help.split("\n"))).toEqual([]);
  });
  it("knows what it must find", () => {
    const bad = ["Keys are turned.", "What stands behind", "It is none of ours.", "for ever", "the first ones alone."];
    for (const sentence of bad)
      expect(
        avoided.some(([pattern]) => pattern.test(sentence)),
        sentence,
      ).toBe(true);
    const good = ["Each in turn.", "It returns rows in place.", "There is no longer one.", "Vaswani et al. alone know"];
    for (const sentence of good)
      expect(
        avoided.some(([pattern]) => pattern.test(sentence)),
        sentence,
      ).toBe(false);
  });

  describe("of messages in the sources", () => {
    /** Words that documentation may use. */
    const inMessages: typeof avoided = [
      [/\bsays?\b|\bsaid\b/, "describes, has"],
      [/\bgave\b|\banswered\b/, "returned, must come from"],
      [/\bwhat\b/i, "a noun"],
    ];
    const isProse = (literal: string): boolean => literal.trim().split(/\s+/).length >= 3;

    /** String and template literals except names of modules and properties; `…` for each expression. */
    function literalsOf(code: string): string[] {
      const found: string[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
        if (ts.isPropertyAssignment(node)) return visit(node.initializer);
        if (ts.isStringLiteralLike(node)) found.push(node.text);
        if (ts.isTemplateExpression(node))
          found.push(node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(""));
        node.forEachChild(visit);
      };
      visit(ts.createSourceFile("code.ts", code, ts.ScriptTarget.ESNext));
      return found;
    }

    /** String literals of C++ except names of headers; adjacent ones are one. */
    function cppLiteralsOf(code: string): string[] {
      const tokens = /#include.*|\/\/.*|R"\(([^]*?)\)"|'(?:[^'\\\n]|\\.)'|"((?:[^"\\\n]|\\.)*)"/g;
      const found: string[] = [];
      let end = -1;
      for (const { 0: token, 1: raw, 2: plain, index } of code.matchAll(tokens)) {
        const literal = raw ?? plain;
        if (literal === undefined) continue;
        if (end >= 0 && code.slice(end, index).trim() === "") found.push(found.pop()! + literal);
        else found.push(literal);
        end = index + token.length;
      }
      return found;
    }

    const badMessages = (literals: string[]): string[] => {
      const messages = literals.filter(isProse).map((literal) => literal.replaceAll(/`[^`]*`/g, "code"));
      return [...avoidedIn(messages), ...avoidedIn(messages, inMessages)];
    };

    /** Files in a folder, without generated ones: their texts come from the C++ sources. */
    const filesIn = (folder: string, pattern: RegExp): string[] =>
      readdirSync(inRoot(...folder.split("/")), { recursive: true, encoding: "utf8" })
        .filter((name) => pattern.test(name) && !name.endsWith(".gen.ts"))
        .map((name) => `${folder}/${name}`);

    it.each([
      ["web/src", /\.ts$/, literalsOf, 900],
      ["web/tasks", /\.mjs$/, literalsOf, 90],
      ["cpp/src", /\.[ch]pp$/, cppLiteralsOf, 200],
      ["cpp/include", /\.hpp$/, cppLiteralsOf, 200],
    ])("%s", (folder, pattern, read, least) => {
      const sources = filesIn(folder, pattern).map((name) => [name, read(text(...name.split("/")))] as const);
      expect(sources.flatMap(([, literals]) => literals.filter(isProse)).length).toBeGreaterThan(least);
      const found = sources.map(([name, literals]) => [name, badMessages(literals)] as const);
      expect(found.filter(([, messages]) => messages.length > 0)).toEqual([]);
    });
    it("and one would be found", () => {
      const bad = `
        import { told } from "a module that is told of";
        throw invalid("snapshot", "must be what snapshot() gave");
        throw new PosencError("unsupported", \`\${name}: places are turned by \${count} waves\`, "turn it");
        const notes = { "whose name says nothing": note("the learned numbers", 'this is no "model"') };`;
      expect(badMessages(literalsOf(bad)).length).toBe(7);
      const good =
        'import "what it is told"; const text = "must be `what it is`"; // what it says\nf("turn", "is in place");';
      expect(badMessages(literalsOf(good))).toEqual([]);
      const cpp = `
        #include "what it says.hpp"  // "what it says"
        char quote = '"';
        return error("is missing: the encoding "
                     "goes by it", R"(features turn in pairs)", "waves");`;
      expect(badMessages(cppLiteralsOf(cpp)).length).toBe(2);
      expect(badMessages(cppLiteralsOf('return error("must be at %", "https://a.b"); // it says so'))).toEqual([]);
    });
  });

  describe("of names that web/src declares", () => {
    /** Words with a meaning that only this project gave them; see `avoided` for what to write. */
    const words = new Set(
      (
        "turn turns turned turning untold told tell tells say says said place places placed stand stands lie lies mend mends wave " +
        "waves goes answer answers sees carrier worn crew scribble lend slack steady kin beside anew alone meeting meetings room door"
      ).split(" "),
    );
    /** Names that keep such a word. */
    const allowed = new Map([["shapesAlone", "defined by cpp/bindings"]]);
    const namesIn = (code: string): string[] => {
      const names: string[] = [];
      const visit = (node: ts.Node): void => {
        const { name } = node as ts.Node & { name?: ts.Node };
        const isUse = ts.isPropertyAccessExpression(node) || ts.isImportSpecifier(node) || ts.isExportSpecifier(node);
        if (name && !isUse && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) names.push(name.text);
        node.forEachChild(visit);
      };
      visit(ts.createSourceFile("code.ts", code, ts.ScriptTarget.ESNext));
      return names;
    };
    const wordsOf = (name: string): string[] =>
      name
        .replaceAll(/([a-z0-9])(?=[A-Z])/g, "$1 ")
        .toLowerCase()
        .split(/[ _$\d]+/);
    const badNames = (code: string): string[] => {
      const bad = namesIn(code).filter((name) => wordsOf(name).some((word) => words.has(word)));
      return [...new Set(bad)].filter((name) => !allowed.has(name));
    };

    it("none has such a word", () => {
      const files = readdirSync(inRoot("web", "src"), { recursive: true, encoding: "utf8" });
      const sources = files.filter((name) => name.endsWith(".ts"));
      expect(sources.length).toBeGreaterThan(200);
      const found = sources.map((name) => [name, badNames(text("web", "src", name))] as const);
      expect(found.filter(([, names]) => names.length > 0)).toEqual([]);
    });
    it("and one would be found", () => {
      const code = `
        const turningOf = (told: string): void => {};
        function mend_rotary({ slack }: Options, place?: number) {}
        class MeetingRoom { private roomFor(count: number): void { const { alone, wave: steps } = this; } }
        list.map((beside) => beside);`;
      const bad = ["turningOf", "told", "mend_rotary", "slack", "place", "MeetingRoom", "roomFor", "alone", "beside"];
      expect(badNames(code).sort()).toEqual(bad.sort());
      expect(
        badNames('const rotated = "told"; // const told\nconst { place: position, isReplaced } = rotated.turns;'),
      ).toEqual([]);
    });
  });
});

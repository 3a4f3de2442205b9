// Plain words: what documentation must not say, and what it says instead. Code and quoted messages are not looked at, nor is
// the course, whose clocks turn.
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

const avoidedIn = (paragraphs: string[]): string[] =>
  paragraphs.flatMap((paragraph) =>
    avoided
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

  describe("of names that web/src declares", () => {
    /** Words with a meaning that only this project gave them; see `avoided` for what to write. */
    const words = new Set(
      (
        "turn turns turned turning untold told tell tells say says said place places placed stand stands lie lies mend mends wave " +
        "waves goes answer answers sees carrier worn crew scribble lend slack steady kin beside anew alone meeting meetings room door"
      ).split(" "),
    );
    /** Names that keep such a word. */
    const allowed = new Map([
      ["BiasPlaces", "public"],
      ["TurningRelative", "public"],
      ["TurnOptions", "public"],
      ["TurnBackwardOptions", "public"],
      ["slowestTurn", "public, of an explanation"],
      ["turns", "public, of an explanation"],
      ["shapesAlone", "defined by cpp/bindings"],
    ]);
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

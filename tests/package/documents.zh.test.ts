// The Chinese pages: their code is that of the English pages, links lead somewhere, and the words are the glossary's.
import { existsSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { avoided } from "../../web/site/src/glossary/terms.ts";
import { isMixed } from "../site/punctuation.ts";
import { text } from "./documents.ts";

const folder = "web/docs/zh-CN";
const names = readdirSync(inRoot(folder)).filter((name) => name.endsWith(".md"));
const pages: [file: string, english: string][] = [
  ["README.zh-CN.md", "README.md"],
  ...names.map((name): [string, string] => [`${folder}/${name}`, `web/docs/${name}`]),
];

const read = (file: string): string => text(...file.split("/"));
const fenced = /^```(\w+)\n([^]*?)^```$/gm;
const comments: Record<string, RegExp> = {
  js: / *(?<=^|\s)\/\/.*$/gm,
  ts: / *(?<=^|\s)\/\/.*$/gm,
  sh: / *(?<=^|\s)#.*$/gm,
  python: / *(?<=^|\s)#.*$/gm,
};
/** Blocks in all languages; without comments, which may be translated. */
const codeOf = (markdown: string): string[] =>
  [...markdown.matchAll(fenced)].map(([, language, code]) =>
    [language, comments[language!] ? code!.replaceAll(comments[language!]!, "") : code].join("\n"),
  );
/** The shapes with which comments begin. */
const shapesOf = (markdown: string): string[] =>
  [...markdown.matchAll(fenced)].flatMap(([, , code]) =>
    [...code!.matchAll(/\/\/ ((?:\{ [^}]*\} ?)?(?:\[[^\]]*\])?)/g)].map(([, shape]) => shape!.trim()).filter(Boolean),
  );

const withoutCode = (markdown: string): string => markdown.replaceAll(fenced, "").replaceAll(/<!--[^]*?-->/g, "");
const linksOf = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!).filter((link) => !/^\w+:/.test(link));
/** As GitHub makes them of headings. */
const anchorsOf = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, "")
      .replaceAll(" ", "-"),
  );

it("there are Chinese pages, each of an English one", () => {
  expect(names.length).toBeGreaterThanOrEqual(4);
  for (const [, english] of pages) expect(existsSync(inRoot(english)), english).toBe(true);
});

describe.each(pages)("%s", (file, english) => {
  const markdown = read(file);

  it("has the code of the English page", () => {
    expect(codeOf(markdown)).toEqual(codeOf(read(english)));
    expect(shapesOf(markdown)).toEqual(shapesOf(read(english)));
  });

  it("has links that lead somewhere, to Chinese pages where there are some", () => {
    const links = linksOf(markdown);
    expect(links).toContain(posix.relative(posix.dirname(file), english));
    for (const link of links) {
      const [path, anchor] = link.split("#") as [string, string?];
      const target = path ? posix.join(posix.dirname(file), path) : file;
      expect(existsSync(inRoot(target)), link).toBe(true);
      if (anchor) expect(anchorsOf(read(target)), link).toContain(anchor);
      const chinese = pages.find(([, other]) => other === target && other !== english);
      expect(chinese, link).toBeUndefined();
    }
  });

  it.each(Object.entries(avoided))("says not %s but %s", (avoid) => {
    expect(markdown).not.toContain(avoid);
  });

  it("has Chinese punctuation next to Chinese", () => {
    const lines = withoutCode(markdown)
      .replace(/^title: /m, "")
      .replaceAll(/`[^`]*`/g, "¤")
      .replaceAll(/\]\([^)]*\)/g, "]")
      .split("\n");
    expect(lines.filter(isMixed)).toEqual([]);
  });

  it("has a space between Chinese and Latin words, numbers and code", () => {
    const prose = withoutCode(markdown).replaceAll(/\]\([^)]*\)/g, "]");
    const joined = /.{0,20}(?:\p{Script=Han}[`A-Za-z0-9]|[`A-Za-z0-9%]\p{Script=Han}).{0,20}/gu;
    expect(prose.match(joined) ?? []).toEqual([]);
  });
});

it("the sizes of entries are those of the English README", () => {
  const sizes = (file: string) =>
    [...read(file).matchAll(/^\| `posenc.* \|$/gm)].map(([row]) => [/`[^`]*`/.exec(row)![0], ...row.match(/\d+ KB/g)!]);
  expect(sizes("README.md").length).toBe(8);
  expect(sizes("README.zh-CN.md")).toEqual(sizes("README.md"));
});

// Both languages say the same: every string is there, every list as long, every formula and placeholder equal.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { sidePages } from "../../web/site/src/text/pages.ts";
import { folders, siteRoot, sourcesIn } from "./pages.ts";
import { isMixed } from "./punctuation.ts";

const sideFolders = Object.values(sidePages).map((component) => dirname(component));
const modules = [
  "text/frame",
  ...sideFolders.map((folder) => `${folder}/text`),
  ...folders.map((folder) => `chapters/${folder}/text`),
];

const load = async (module: string, locale: string): Promise<unknown> =>
  Object.values((await import(join(siteRoot, "src", `${module}.${locale}.ts`))) as object)[0];

/** Every string of a text by its path: "table.points.0". */
function strings(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (value === null || typeof value !== "object") return [[path, `not text: ${String(value)}`]];
  return Object.entries(value).flatMap(([key, part]) => strings(part, path ? `${path}.${key}` : key));
}

/** Maths without the words that stand in it. */
const formulas = (text: string) =>
  [...text.matchAll(/\$\$([^$]+)\$\$/g)].map(([, tex]) => tex!.replace(/\\text\{[^}]*\}/g, "\\text{}"));
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const withoutMaths = (text: string) => text.replace(/\$\$[^$]+\$\$|\$[^$]+\$/g, "");

describe.each(modules)("%s", (module) => {
  it("has every string in both languages, with the same formulas and values", async () => {
    const [en, zh] = (await Promise.all(["en", "zh-CN"].map((locale) => load(module, locale)))).map((text) =>
      strings(text),
    );
    expect(zh!.map(([path]) => path)).toEqual(en!.map(([path]) => path));
    en!.forEach(([path, text], index) => {
      const other = zh![index]![1];
      expect(text.trim() === "", path).toBe(false);
      expect(other.trim() === "", path).toBe(false);
      expect(formulas(other), path).toEqual(formulas(text));
      expect(placeholders(withoutMaths(other)), path).toEqual(placeholders(withoutMaths(text)));
    });
  });

  it("is Chinese in Chinese", async () => {
    const [en, zh] = await Promise.all(["en", "zh-CN"].map((locale) => load(module, locale)));
    const other = new Map(strings(zh));
    const plain = (text: string) => withoutMaths(text).replace(/\{\w+\}|<[^>]*>|https?:\S+/g, "");
    const isSentence = (text: string) => (plain(text).match(/[a-z]{2,}/gi) ?? []).length >= 4;
    const sentences = strings(en).filter(
      // Commands are the same in every language.
      ([path, text]) => !path.startsWith("sources.") && !path.endsWith(".lines") && isSentence(text),
    );
    expect(sentences).not.toEqual([]);
    for (const [path, text] of sentences)
      expect(/[\u4e00-\u9fff]/.test(withoutMaths(other.get(path)!)), `${path}: ${text}`).toBe(true);
  });
});

describe("what is Chinese", () => {
  const sources = join(siteRoot, "src");
  const modules = sourcesIn(sources, ".zh-CN.ts").map((name) => name.slice(0, -".zh-CN.ts".length));
  it.each(modules)("has Chinese marks beside its characters: %s", async (module) => {
    const all = strings(await load(module, "zh-CN"));
    expect(all).not.toEqual([]);
    expect(all.filter(([, text]) => isMixed(text))).toEqual([]);
  });
  it.each([
    ["词,", true],
    ["词: 猫", true],
    ["（词）(位置)", true],
    ["猫, 狗", true],
    ["位置 PE(m) 与 T(j, k) 的差：1,000", false],
    ["有 $f(词)$，见 <code>a(词)</code>", false],
    ["Su 等，RoFormer: Enhanced", false],
  ])("%s", (text, expected) => expect(isMixed(text)).toBe(expected));
});

describe.each(folders)("the quiz of %s", (folder) => {
  it.each(["en", "zh-CN"])("gives reasons, as right or wrong is said already (%s)", async (locale) => {
    const reasons = strings(await load(`chapters/${folder}/text`, locale)).filter(([path]) => path.endsWith(".why"));
    expect(reasons).not.toEqual([]);
    const begins = /^(?:(?:right|wrong|yes|no|correct)[:.,;!]|(?:不对|对|是的|不是|没错|错|不)[：，。；！])/i;
    expect(reasons.filter(([, reason]) => begins.test(reason))).toEqual([]);
  });
});

describe("a chapter", () => {
  it.each(folders)("%s has its preview and its code", (folder) => {
    expect(existsSync(join(siteRoot, "src", "chapters", folder, "Preview.svelte"))).toBe(true);
    expect(existsSync(join(siteRoot, "..", "..", "examples", "course", `${folder}.js`))).toBe(true);
  });
});

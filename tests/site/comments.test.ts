// Code on Chinese pages has Chinese comments, and is the same code.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sampleOf } from "../../web/site/build/samples.ts";
import { withChineseComments } from "../../web/site/src/lib/code.ts";
import { withPage } from "./browser.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const course = readdirSync(join(examples, "course")).filter((name) => name.endsWith(".js"));
const files = ["00-quick-start.js", ...course.map((name) => `course/${name}`)];
const dictionary = readFileSync(join(examples, "course", "comments.zh-CN.json"), "utf8");

const inChinese = (file: string) => withChineseComments(sampleOf(file, readFileSync(join(examples, file), "utf8")));
/** Comments of a program as it is shown; none stands in a string. */
const commentsOf = (code: string) => [...code.matchAll(/(?:^|\s)\/\/ (.+)$/gm)].map(([, text]) => text!);
const withoutComments = (code: string) => code.replace(/(^|\s)\/\/ .+$/gm, "$1");

describe.each(files)("%s", (file) => {
  const english = sampleOf(file, readFileSync(join(examples, file), "utf8"));

  it("has the Chinese of every comment, and the same code", () => {
    const chinese = inChinese(file);
    expect(commentsOf(english.code).filter((comment) => !(comment in english.comments))).toEqual([]);
    expect(commentsOf(chinese.code).every((comment) => /\p{Script=Han}/u.test(comment))).toBe(true);
    expect(withoutComments(chinese.code)).toBe(withoutComments(english.code));
  });

  it("is copied as it is shown", () => {
    const { code, pieces } = inChinese(file);
    const shown = pieces
      .map((piece) => (typeof piece === "string" ? piece.replace(/<[^>]+>/g, "") : piece.text))
      .join("");
    for (const comment of commentsOf(code)) expect(shown).toContain(`// ${comment}`);
    expect(commentsOf(shown).length).toBe(commentsOf(code).length);
  });
});

it.each(readdirSync(join(examples, "course")).filter((name) => name.endsWith(".py")))(
  "%s has the Chinese of every comment",
  (name) => {
    const comments = [...readFileSync(join(examples, "course", name), "utf8").matchAll(/(?:^|\s)# (.+)$/gm)];
    expect(comments.map(([, text]) => text!).filter((text) => !(text in JSON.parse(dictionary)))).toEqual([]);
  },
);

it("no comment of the dictionary is of a program that is gone, and none would be read as HTML", () => {
  const all = JSON.parse(dictionary) as Record<string, string>;
  const sources = files.map((file) => readFileSync(join(examples, file), "utf8")).join("\n");
  const python = readdirSync(join(examples, "course")).filter((name) => name.endsWith(".py"));
  const others = python.map((name) => readFileSync(join(examples, "course", name), "utf8")).join("\n");
  expect(Object.keys(all).filter((comment) => !sources.includes(comment) && !others.includes(comment))).toEqual([]);
  expect(Object.values(all).filter((comment) => /[<&]/.test(comment))).toEqual([]);
});

it("the Chinese page shows and copies them", () =>
  withPage(
    "rope",
    { locale: "zh-CN", asFound: true, permissions: ["clipboard-read", "clipboard-write"] },
    async (page) => {
      const { code } = inChinese("course/08-rope.js");
      const [comment] = commentsOf(code);
      expect(await page.locator(".sample .hljs-comment").first().textContent()).toBe(`// ${comment}`);
      await page.locator(".sample").getByRole("button", { name: "复制" }).first().click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(`// ${comment}`);
    },
  ));

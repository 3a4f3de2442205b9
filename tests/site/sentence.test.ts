// Sentences as words: how Chinese is cut, what counts as a word; and every example of every figure, in the browser.
import { describe, expect, it } from "vitest";
import { cutSentence, longestSentence, maxWords } from "../../web/site/src/lib/sentence.ts";
import { en } from "../../web/site/src/text/text.en.ts";
import { zhCN } from "../../web/site/src/text/text.zh-CN.ts";
import { locales, withPage } from "./browser.ts";
import { figureOf, tablesOf } from "./figure.ts";

describe("a sentence", () => {
  const cases: [string, string, Parameters<typeof cutSentence>[1]?][] = [
    ["我爱你", "我 爱 你"],
    ["狗咬人", "狗 咬 人"],
    ["人咬狗", "人 咬 狗"],
    ["猫追老鼠", "猫 追 老 鼠"],
    ["猫追老鼠", "猫 追 老鼠", "words"],
    ["猫 追 老鼠", "猫 追 老鼠"],
    ["猫\u3000追 老鼠", "猫 追 老鼠"],
    ["猫 追 老鼠", "猫 追 老 鼠", "characters"],
    ["那只猫在花园里追一只老鼠", "那只 猫 在 花园 里 追 一只 老鼠"],
    ["我爱 Python编程", "我 爱 Python 编 程"],
    ["𠮷野家👩‍🚀😀好", "𠮷 野 家 👩‍🚀 😀 好"],
    ["I ❤️ 🇨🇳, don’t you?", "I ❤️ 🇨🇳 don’t you"],
    ["C++ ≠ C", "C++ ≠ C"],
    ["猫，追；老鼠。", "猫 追 老 鼠"],
    ["ねこを追う", "ね こ を 追 う"],
    ["，。！", ""],
  ];
  it.each(cases)("%s: %s", (sentence, words, cut = "auto") => {
    expect(cutSentence(sentence, cut).words).toEqual(words === "" ? [] : words.split(" "));
  });

  it("says what it leaves out, and how it was cut", () => {
    const long = cutSentence("一 二 三 四 五 六 七 八 九 十 十一");
    expect([long.words.length, long.left, long.unit]).toEqual([maxWords, ["十", "十一"], "words"]);
    expect(cutSentence("一二三四五六七八九").unit).toBe("characters");
    expect(cutSentence("the dog bites the man")).toMatchObject({ left: [], unit: undefined, passedOver: false });
    expect(cutSentence("猫，狗").passedOver).toBe(true);
    expect(longestSentence).toBeGreaterThan(120);
  });
});

const figures = [
  ["order", "words"],
  ["adding", "terms"],
  ["rope", "swap"],
] as const;

describe.each(locales)("the examples in %s", (locale) => {
  it.each(figures)("%s: each has words", async (chapter, name) => {
    await withPage(chapter, { locale }, async (page) => {
      const figure = figureOf(page, name);
      const chips = figure.locator(".picker > [role=group] button");
      const shown = new Map<string, string[]>();
      for (const chip of await chips.all()) {
        await chip.click();
        const { heads } = (await tablesOf(figure))[0]!;
        const words = name === "words" ? heads.slice(0, -1) : heads;
        expect(words.length).toBeGreaterThanOrEqual(2);
        expect(await figure.getByRole("alert").count()).toBe(0);
        expect(await figure.locator(".notes p").count()).toBe(0);
        shown.set((await chip.textContent())!.trim(), words);
      }
      expect(shown.size).toBeGreaterThanOrEqual(4);
      if (shown.has("狗咬人")) expect([...shown.get("人咬狗")!].reverse()).toEqual(shown.get("狗咬人"));
    });
  });
});

describe.each([
  ["en", en.cut],
  ["zh-CN", zhCN.cut],
] as const)("a sentence of one's own in %s", (locale, text) => {
  it("is cut as the reader likes, and the address knows", async () => {
    await withPage("order", { locale }, async (page) => {
      const figure = figureOf(page, "words");
      const heads = async () => (await tablesOf(figure))[0]!.heads.slice(0, -1);
      const field = figure.getByRole("textbox");
      await field.fill("the dog");
      expect(await figure.getByRole("button", { name: text.words, exact: true }).count()).toBe(0);
      await field.fill("猫追老鼠");
      expect(await heads()).toEqual([..."猫追老鼠"]);
      await figure.getByRole("button", { name: text.words, exact: true }).click();
      expect(await heads()).toEqual(["猫", "追", "老鼠"]);
      await expect.poll(() => page.url()).toContain("words.cut=words");
      await field.fill("一 二 三 四 五 六 七 八 九 十");
      expect(await figure.locator(".notes").textContent()).toContain("十");
      expect((await heads()).length).toBe(maxWords);
    });
  });

  it("waits for the end of a composition", async () => {
    await withPage("order", { locale }, async (page) => {
      const figure = figureOf(page, "words");
      const field = figure.getByRole("textbox");
      await field.fill("猫追狗");
      // The tables are opened first: a press elsewhere would end the composition.
      const heads = async () => (await tablesOf(figure))[0]!.heads.slice(0, -1);
      expect(await heads()).toEqual(["猫", "追", "狗"]);
      await field.focus();
      await field.press("End");
      const session = await page.context().newCDPSession(page);
      await session.send("Input.imeSetComposition", { text: "lao", selectionStart: 3, selectionEnd: 3 });
      expect(await field.inputValue()).toBe("猫追狗lao");
      expect(await heads()).toEqual(["猫", "追", "狗"]);
      await session.send("Input.insertText", { text: "老" });
      await expect.poll(heads).toEqual(["猫", "追", "狗", "老"]);
    });
  });
});

// Runs at build time only: the text of a page as HTML.
import type { Component } from "svelte";
import { render as renderComponent } from "svelte/server";
import Page from "./components/Page.svelte";
import type { FrameText, Locale, PageName } from "./lib/i18n.ts";
import { isSidePage, sidePages } from "./text/pages.ts";

type Texts = Record<string, object>;
const contents = import.meta.glob<{ default: Component<{ text: never }> }>([
  "./chapters/*/Chapter.svelte",
  "./*/*.svelte",
  "./articles/*/*.svelte",
  "!./components/*",
]);
const texts = import.meta.glob<Texts>(["./chapters/*/text.*.ts", "./*/text.*.ts", "./articles/*/text.*.ts"]);
const frames = import.meta.glob<{ frame: FrameText }>("./text/frame.*.ts");

export async function render(page: PageName, locale: Locale): Promise<string> {
  const path = isSidePage(page)
    ? `./${sidePages[page]}.svelte`
    : Object.keys(contents).find((name) => name.endsWith(`-${page}/Chapter.svelte`))!;
  const { default: content } = await contents[path]();
  const text = Object.values(await texts[path.replace(/\w+\.svelte$/, `text.${locale}.ts`)]())[0];
  const language = { page, locale, ...(await frames[`./text/frame.${locale}.ts`]()).frame };
  return renderComponent(Page, { props: { content: content as Component<{ text: object }>, text, language } }).body;
}

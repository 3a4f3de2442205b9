// Runs at build time only: the text of a page as HTML.
import type { Component } from "svelte";
import { render as renderComponent } from "svelte/server";
import Page from "./components/Page.svelte";
import type { FrameText, Locale, PageName } from "./lib/i18n.ts";
import Inspector from "./inspector/Inspector.svelte";
import Start from "./start/Start.svelte";

type Texts = Record<string, object>;
const chapters = import.meta.glob<{ default: Component<{ text: never }> }>("./chapters/*/Chapter.svelte");
const texts = import.meta.glob<Texts>(["./chapters/*/text.*.ts", "./start/text.*.ts", "./inspector/text.*.ts"]);
const frames = import.meta.glob<{ frame: FrameText }>("./text/frame.*.ts");

export async function render(page: PageName, locale: Locale): Promise<string> {
  const path = Object.keys(chapters).find((name) => name.endsWith(`-${page}/Chapter.svelte`));
  const folder = path?.replace("/Chapter.svelte", "") ?? (page === "inspector" ? "./inspector" : "./start");
  const content = path ? (await chapters[path]()).default : page === "inspector" ? Inspector : Start;
  const text = Object.values(await texts[`${folder}/text.${locale}.ts`]())[0];
  const language = { page, locale, ...(await frames[`./text/frame.${locale}.ts`]()).frame };
  return renderComponent(Page, { props: { content: content as Component<{ text: object }>, text, language } }).body;
}

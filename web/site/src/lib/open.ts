// Brings a page to life: takes over the text that the build has written, or writes it in the development server.
import { hydrate, mount, type Component } from "svelte";
import type { Locale } from "./i18n.ts";

export function open(Page: Component<{ locale: Locale }>): void {
  const target = document.getElementById("app")!;
  const locale: Locale = document.documentElement.lang === "zh-CN" ? "zh-CN" : "en";
  const start = target.hasChildNodes() ? hydrate : mount;
  start(Page, { target, props: { locale } });
}

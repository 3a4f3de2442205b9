// Runs at build time only: the text of a page as HTML.
import type { Component } from "svelte";
import { render as renderComponent } from "svelte/server";
import type { Locale } from "./lib/i18n.ts";
import type { PageName } from "./lib/pages.ts";
import Rope from "./pages/rope/Rope.svelte";
import Sinusoidal from "./pages/sinusoidal/Sinusoidal.svelte";
import Start from "./pages/start/Start.svelte";

const components: Record<PageName, Component<{ locale: Locale }>> = {
  index: Start,
  sinusoidal: Sinusoidal,
  rope: Rope,
};

export function render(page: PageName, locale: Locale): string {
  return renderComponent(components[page], { props: { locale } }).body;
}

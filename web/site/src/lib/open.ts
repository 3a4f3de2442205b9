// Brings a page to life: takes over the text that the build has written, or writes it in the development server.
import { hydrate, mount, type Component } from "svelte";
import Page from "../components/Page.svelte";
import { embedded, showEmbedded } from "./embed.ts";
import type { Language } from "./i18n.ts";
import { keepForOffline } from "./offline.ts";

export function open<T extends object>(content: Component<{ text: T }>, text: T, language: Language): void {
  const target = document.getElementById("app")!;
  const start = target.hasChildNodes() ? hydrate : mount;
  showEmbedded(target);
  start(Page, { target, props: { content: content as Component<{ text: object }>, text, language } });
  // In the development server the figure is there only now.
  showEmbedded(target);
  if (embedded === undefined) keepForOffline(language.locale);
}

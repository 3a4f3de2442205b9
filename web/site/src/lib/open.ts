// Brings a page to life: takes over the text that the build has written, or writes it in the development server.
import { hydrate, mount, type Component, type ComponentProps } from "svelte";
import Page from "../components/Page.svelte";
import { embedded, showEmbedded } from "./embed.ts";
import type { Language } from "./i18n.ts";
import { keepForOffline } from "./offline.ts";

/** Extensions and proxies change pages: where Svelte does not find what the build has written, the page is written anew. */
function takeOver(target: HTMLElement, props: ComponentProps<typeof Page>): boolean {
  try {
    hydrate(Page, { target, props, recover: false });
    return true;
  } catch {
    return false;
  }
}

/** @param whole the text with its prose, which `text` leaves to the HTML (`build/prose.ts`) */
export async function open<T extends object>(
  content: Component<{ text: T }>,
  text: T,
  language: Language,
  whole: () => Promise<T>,
): Promise<void> {
  const target = document.getElementById("app")!;
  const props = { content: content as Component<{ text: object }>, text, language };
  showEmbedded(target);
  if (!target.hasChildNodes() || !takeOver(target, props)) {
    const all = await whole();
    target.replaceChildren();
    mount(Page, { target, props: { ...props, text: all } });
    // The figure is there only now.
    showEmbedded(target);
  }
  if (embedded === undefined) keepForOffline(language.locale);
}

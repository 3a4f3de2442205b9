// One figure alone, in a frame of another page: rope.html?embed=hands#v=2&… `public/theme.js` has marked the document by then.

/** The figure that is shown alone, if any. */
export let embedded: string | undefined =
  typeof document === "undefined" ? undefined : document.documentElement.dataset.embed;

/** Whether a figure is left out because another is shown alone. */
export const isLeftOut = (figure: string): boolean => embedded !== undefined && embedded !== figure;

/** Marks the figure and the way to it: the style sheet hides all that lies beside. Without such a figure the page is whole. */
export function showEmbedded(page: HTMLElement): void {
  if (embedded === undefined || !page.hasChildNodes()) return;
  const root = document.documentElement;
  const figure = document.getElementById(`figure-${embedded}`);
  if (!figure) {
    embedded = undefined;
    delete root.dataset.embed;
    return;
  }
  figure.dataset.shown = "";
  for (let part = figure.parentElement; part && part !== document.body; part = part.parentElement)
    part.dataset.around = "";
  root.dataset.embed = "shown";
}

/** The address of a page without what asks for a figure alone. */
export function wholePage({ origin, pathname, search }: Location): string {
  const query = new URLSearchParams(search);
  for (const name of ["embed", "theme"]) query.delete(name);
  return `${origin}${pathname}${query.size ? `?${query}` : ""}`;
}

/** What another page is given to show this figure: as high as it is here, in the colours of its reader's system. */
export function embedCode(link: string, figure: HTMLElement, title: string): string {
  const address = new URL(link);
  address.searchParams.set("embed", figure.dataset.figure!);
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const height = Math.round(figure.getBoundingClientRect().height) + 30;
  return `<iframe src="${escaped(address.href)}" title="${escaped(title)}" width="100%" height="${height}" loading="lazy" allow="clipboard-write" style="border: 0"></iframe>`;
}

// Which chapters the reader has opened. Kept on this machine alone, and nowhere if the browser does not allow it.
import type { PageName } from "./i18n.ts";

const key = "posenc-visited";

function kept(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Empty until the page lives: its text as it was built knows no reader. */
export const visited = $state<{ pages: string[] }>({ pages: [] });

/** Reads what is kept, and adds the page that is open now. */
export function visit(page: PageName, isChapter: boolean): void {
  const before = kept();
  visited.pages = before;
  if (!isChapter || before.includes(page)) return;
  try {
    localStorage.setItem(key, JSON.stringify([...before, page]));
  } catch {
    // Private windows may refuse. Nothing depends on it.
  }
}

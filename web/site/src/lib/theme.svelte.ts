// Light or dark: the system's choice until the reader makes one.

const key = "posenc-theme";
const browser = typeof window !== "undefined";

class Theme {
  /** Whether the page is dark now. Canvases need to know; everything else uses custom properties. */
  dark = $state(false);

  constructor() {
    if (!browser) return;
    const system = matchMedia("(prefers-color-scheme: dark)");
    const chosen = document.documentElement.dataset.theme;
    this.dark = chosen ? chosen === "dark" : system.matches;
    system.addEventListener("change", () => {
      if (!document.documentElement.dataset.theme) this.dark = system.matches;
    });
  }

  toggle(): void {
    this.dark = !this.dark;
    const name = this.dark ? "dark" : "light";
    document.documentElement.dataset.theme = name;
    try {
      localStorage.setItem(key, name);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }
}

export const theme = new Theme();

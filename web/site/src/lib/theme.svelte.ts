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
    const paper = matchMedia("print");
    paper.addEventListener("change", () => (paper.matches ? this.takePaper() : this.leavePaper()));
  }

  /** What the page had before it was printed, if it was dark. */
  private before: { theme: string | undefined } | undefined;

  /** Paper is white. */
  private takePaper(): void {
    if (!this.dark) return;
    this.before = { theme: document.documentElement.dataset.theme };
    document.documentElement.dataset.theme = "light";
    this.dark = false;
  }

  private leavePaper(): void {
    if (!this.before) return;
    if (this.before.theme) document.documentElement.dataset.theme = this.before.theme;
    else delete document.documentElement.dataset.theme;
    this.before = undefined;
    this.dark = true;
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

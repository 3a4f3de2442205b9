// Saves a figure as an SVG file that opens alone, with its source below it.
import { figureSvg } from "./figure-svg.ts";
import { fill } from "./i18n.ts";

export function saveFigure(figure: HTMLElement, name: string, title: HTMLElement, source: string): void {
  const address = `${location.origin}${location.pathname}#figure-${name}`;
  const text = figureSvg(figure, title.textContent.trim(), fill(source, { address }));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  link.download = `posenc-${name}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Linked hover: what carries the same `data-link` lights up together, in formulas, figures, sliders and prose.

const attribute = "data-link";
const mark = "linked";

/** The name of the link at an element; the nearest one wins, and it may stand on any ancestor. */
const linkAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest(`[${attribute}]`)?.getAttribute(attribute) : undefined;

export function linkHovers(container: HTMLElement): () => void {
  let current: string | null | undefined;
  const light = (name: string | null | undefined) => {
    if (name === current) return;
    for (const element of container.querySelectorAll(`.${mark}`)) element.classList.remove(mark);
    current = name;
    if (!name) return;
    for (const element of container.querySelectorAll(`[${attribute}="${CSS.escape(name)}"]`))
      element.classList.add(mark);
  };
  const over = (event: Event) => light(linkAt(event.target));
  const leave = () => light(linkAt(document.activeElement));
  container.addEventListener("pointerover", over);
  container.addEventListener("pointerleave", leave);
  container.addEventListener("focusin", over);
  container.addEventListener("focusout", leave);
  return () => {
    container.removeEventListener("pointerover", over);
    container.removeEventListener("pointerleave", leave);
    container.removeEventListener("focusin", over);
    container.removeEventListener("focusout", leave);
  };
}

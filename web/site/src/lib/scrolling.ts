// Formulas that are wider than a phone scroll in their own box: the keyboard must be able to get there, and only there.

export function focusWideFormulas(container: HTMLElement): () => void {
  const formulas = [...container.querySelectorAll<MathMLElement>('math[display="block"]')];
  const observer = new ResizeObserver(() => {
    for (const formula of formulas) {
      if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
      else formula.removeAttribute("tabindex");
    }
  });
  observer.observe(container);
  return () => observer.disconnect();
}

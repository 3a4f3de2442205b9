// Builds nodes. Text is only ever text: nothing is parsed as HTML.

export type Child = Node | string | undefined | false;

/** Returns an element with attributes; `undefined` and false: without that attribute. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return element;
}

/** Replaces {names} in a text. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

/** Whether the language of an element, its own or that of the page around it, is Chinese. */
export const isChinese = (element: HTMLElement): boolean =>
  /^zh\b/i.test(element.closest<HTMLElement>("[lang]")?.lang ?? "");

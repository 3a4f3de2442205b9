// Addresses of figures, from any page of the same language.

/** `rope#figure-hands` → `./rope.html#figure-hands` */
export const hrefOf = (at: string): string => `./${at.replace("#", ".html#")}`;

/** A figure without its page. */
export const aloneOf = (chapter: string, figure: string): string => `./${chapter}.html?embed=${figure}`;

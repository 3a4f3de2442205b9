// A figure as an SVG file that opens alone: its drawings with their styles, pictures of its canvases, and its words as text.
const svgSpace = "http://www.w3.org/2000/svg";

/** What a drawing takes from the page's style sheets. */
const inherited = [
  "display",
  "visibility",
  "opacity",
  "overflow",
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "paint-order",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "letter-spacing",
  "text-anchor",
  "clip-path",
];

/** What is worked, not looked at; words that can be dragged and options that are on are part of the picture. */
const left =
  ".visually-hidden, [hidden], .cover, .covered, input, select, textarea, progress, " +
  "button:not([data-place], [aria-pressed='true']), label:has(input[type='radio']:not(:checked))";

/** A document that no page shows: what is made in it is neither loaded nor held against the page's policy. */
const paper = document.implementation.createDocument(svgSpace, "svg");

interface Origin {
  x: number;
  y: number;
}

function element(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const made = paper.createElementNS(svgSpace, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

const round = (value: number) => Number(value.toFixed(2));
const isClear = (colour: string) => colour === "transparent" || /[,/] ?0\)$/.test(colour);

/** An element of a drawing and all below it, in the styles that it has on the page; nothing refers to the page. */
function copied(original: Element): Element {
  const style = getComputedStyle(original);
  const copy = paper.createElementNS(svgSpace, original.localName);
  for (const { name, value } of original.attributes)
    if (!/^(class|style|role|data-.*|aria-.*)$/.test(name)) copy.setAttribute(name, value);
  for (const name of inherited) {
    const value = style.getPropertyValue(name);
    if (value) copy.setAttribute(name, value.replaceAll('"', "'"));
  }
  if (original instanceof SVGElement && original.style.transform) copy.setAttribute("transform", style.transform);
  for (const child of original.childNodes) {
    if (child instanceof Text) copy.append(child.data);
    else if (child instanceof Element) copy.append(copied(child));
  }
  return copy;
}

function drawing(svg: SVGSVGElement, { x, y }: Origin): Element {
  const box = svg.getBoundingClientRect();
  const copy = copied(svg);
  const place = { x: box.left - x, y: box.top - y, width: box.width, height: box.height };
  for (const [key, value] of Object.entries(place)) copy.setAttribute(key, String(round(value)));
  return copy;
}

function picture(canvas: HTMLCanvasElement, { x, y }: Origin): SVGElement {
  const box = canvas.getBoundingClientRect();
  return element("image", {
    x: round(box.left - x),
    y: round(box.top - y),
    width: round(box.width),
    height: round(box.height),
    preserveAspectRatio: "none",
    "image-rendering": getComputedStyle(canvas).imageRendering,
    href: canvas.toDataURL(),
  });
}

/** The ground and the rim of a box. */
function ground(box: Element, { x, y }: Origin): SVGElement | undefined {
  const style = getComputedStyle(box);
  const rim = parseFloat(style.borderTopWidth) && parseFloat(style.borderLeftWidth) && style.borderTopStyle !== "none";
  const { left: from, top, width, height } = box.getBoundingClientRect();
  if ((isClear(style.backgroundColor) && !rim) || width === 0 || height === 0) return undefined;
  return element("rect", {
    x: round(from - x),
    y: round(top - y),
    width: round(width),
    height: round(height),
    rx: Math.min(parseFloat(style.borderTopLeftRadius) || 0, height / 2),
    fill: isClear(style.backgroundColor) ? "none" : style.backgroundColor,
    ...(rim && { stroke: style.borderTopColor, "stroke-width": parseFloat(style.borderTopWidth) }),
  });
}

/** The words of a text by the lines that they stand in. */
function linesOf(text: Text): { words: string; box: DOMRect }[] {
  const range = document.createRange();
  const lines: { words: string; box: DOMRect }[] = [];
  // Chinese breaks between any two characters.
  for (const { index, 0: part } of text.data.matchAll(/[\u2E80-\uFFEF]\s*|[^\s\u2E80-\uFFEF]+\s*/gu)) {
    range.setStart(text, index);
    range.setEnd(text, index + part.trimEnd().length);
    const box = range.getBoundingClientRect();
    const last = lines[lines.length - 1];
    if (last && Math.abs(last.box.top - box.top) < 3) last.words += part;
    else if (box.width > 0) lines.push({ words: part, box });
  }
  return lines;
}

/** The type of a text of the page. */
const typeOf = (style: CSSStyleDeclaration, more: Partial<Record<"font-size" | "font-weight", string>> = {}) => ({
  fill: style.color,
  "font-family": style.fontFamily.replaceAll('"', "'"),
  "font-size": style.fontSize,
  "font-weight": style.fontWeight,
  "font-style": style.fontStyle,
  ...more,
});

function words(text: Text, { x, y }: Origin): SVGElement[] {
  const style = getComputedStyle(text.parentElement!);
  const size = parseFloat(style.fontSize);
  return linesOf(text).map(({ words: line, box }) =>
    element(
      "text",
      {
        x: round(box.left - x),
        // Where most fonts have their base line.
        y: round(box.top - y + box.height / 2 + 0.35 * size),
        ...typeOf(style),
      },
      line.trimEnd(),
    ),
  );
}

const isSeen = (one: Element) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(left);

/** Everything of a part of the page, from back to front. */
function parts(of: Element, origin: Origin): Element[] {
  if (!isSeen(of)) return [];
  if (of instanceof SVGSVGElement) return [drawing(of, origin)];
  if (of instanceof HTMLCanvasElement) return of.width && of.height ? [picture(of, origin)] : [];
  // A fold that is closed shows its title alone, and that says nothing here.
  if (of instanceof HTMLDetailsElement && !of.open) return [];
  const inside = Array.from(of.childNodes).flatMap((child): Element[] => {
    if (child instanceof Text) return words(child, origin);
    return child instanceof Element ? parts(child, origin) : [];
  });
  // What the pointer lights up is not part of the figure.
  const behind = of.matches(".linked") ? undefined : ground(of, origin);
  return behind ? [behind, ...inside] : inside;
}

/** The figure as the reader has set it, with its title and where it comes from. */
export function figureSvg(figure: HTMLElement, title: string, source: string): string {
  const content = figure.querySelector(".content")!;
  const box = content.getBoundingClientRect();
  const style = getComputedStyle(figure);
  const [edge, head, foot] = [16, 44, 34];
  const [width, height] = [Math.ceil(box.width) + 2 * edge, Math.ceil(box.height) + head + foot];
  const ground = isClear(style.backgroundColor)
    ? getComputedStyle(document.documentElement).backgroundColor
    : style.backgroundColor;
  const root = element("svg", { xmlns: svgSpace, width, height, viewBox: `0 0 ${width} ${height}` });
  root.append(
    element("title", {}, title),
    element("desc", {}, source),
    element("rect", { width, height, fill: ground }),
    element("text", { x: edge, y: 28, ...typeOf(style, { "font-size": "18px", "font-weight": "680" }) }, title),
    ...parts(content, { x: box.left - edge, y: box.top - head }),
    element("text", { x: edge, y: height - 12, ...typeOf(style, { "font-size": "12px" }) }, source),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}

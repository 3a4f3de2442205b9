// The pictures that stand beside links to a page elsewhere (og:image): its title over a drawing of the library's numbers.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Resvg as ResvgClass } from "@resvg/resvg-wasm";
import type { Plugin } from "vite";
import { colourTable } from "../src/lib/colour.ts";
import { palettePng } from "./palette-png.ts";
import { imageOf, locales, pageNames, titleOf, type Locale } from "./pages.ts";

type Posenc = Awaited<ReturnType<typeof import("posenc").init>>;
type Spec = Parameters<Posenc["create"]>[0];

const require = createRequire(import.meta.url);
const size = { width: 1200, height: 630, top: 250 };

/** Latin letters are drawn with a font that comes with KaTeX, so that the pictures are the same everywhere. */
const latin = require.resolve("katex/dist/fonts/KaTeX_SansSerif-Bold.ttf");
/** Chinese ones where the system has a font for them. */
const chinese = [
  "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc",
  "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
  "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
  "/System/Library/Fonts/PingFang.ttc",
  "C:/Windows/Fonts/msyh.ttc",
].find((path) => existsSync(path));

/** What a page's picture shows: the wavy table of an encoding, with the page's own numbers. */
const specs: Record<string, Spec> = {
  counting: { kind: "periodic", dim: 8 },
  sinusoidal: { kind: "sinusoidal", dim: 24, base: 1000 },
  rotation: { kind: "sinusoidal", dim: 24, base: 50, pairing: "concat" },
  learned: { kind: "learned", length: 60, dim: 16, std: 0.5, seed: 5 },
  images: { kind: "sinusoidal", dim: 24, base: 20 },
};

/** Numbers within ±1 as squares, positions from left to right; few colours, as the file is to be small. */
function heatMap(data: ArrayLike<number>, columns: number, rows: number): string {
  const [width, height] = [size.width / columns, (size.height - size.top) / rows];
  const colours = colourTable("diverging", false);
  return Array.from({ length: columns * rows }, (_, index) => {
    const [column, row] = [Math.floor(index / rows), index % rows];
    const level = Math.round((Math.max(-1, Math.min(1, data[index])) + 1) * 8) * 16;
    const fill = [0, 1, 2].map((channel) => colours[3 * Math.min(255, level) + channel]).join();
    return `<rect x="${column * width}" y="${size.top + row * height}" width="${width + 0.5}" height="${height + 0.5}" fill="rgb(${fill})"/>`;
  }).join("");
}

/** Clocks, one for each pair of a rotation, each a step further from left to right: queries and keys as RoPE turns them. */
function clocks(pe: Posenc, base: number): string {
  const [columns, rows] = [12, 4];
  const rope = pe.create({ kind: "rope", dim: 2 * rows, base });
  const { cos, sin } = rope.tables({ length: columns });
  const [step, radius] = [size.width / columns, 38];
  const faces = Array.from({ length: columns * rows }, (_, index) => {
    const [x, y] = [(Math.floor(index / rows) + 0.5) * step, size.top + 50 + (index % rows) * 92];
    const [dx, dy] = [radius * cos.data[index], -radius * sin.data[index]];
    return `<circle cx="${x}" cy="${y}" r="${radius}" fill="#fff" stroke="#b9bcbc" stroke-width="2"/><path d="M${x} ${y}l${dx} ${dy}" stroke="#1f62b4" stroke-width="6" stroke-linecap="round"/>`;
  });
  rope.dispose();
  return faces.join("");
}

function drawing(pe: Posenc, page: string): string {
  const spec = specs[page];
  // Each page has a base of its own, so that no two are the same.
  const base = 10 + [...page].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  if (!spec) return clocks(pe, base);
  const encoding = pe.create(spec);
  const { data, dims } = (
    encoding as ReturnType<typeof pe.create> & {
      table(places: object): { data: Float32Array; dims: readonly number[] };
    }
  ).table({ length: 60 });
  const drawn = heatMap(data, dims[0], dims[1]);
  encoding.dispose();
  return drawn;
}

export function pictureOf(pe: Posenc, page: string, locale: Locale): string {
  // Without a font for it a Chinese title would be a row of boxes.
  const title = titleOf(page, locale === "zh-CN" && !chinese ? "en" : locale).replaceAll("&", "&amp;");
  const family =
    locale === "zh-CN" && chinese
      ? "Noto Sans CJK SC, WenQuanYi Micro Hei, PingFang SC, Microsoft YaHei"
      : "KaTeX_SansSerif";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}">
<rect width="${size.width}" height="${size.height}" fill="#fcfcfa"/>
${page === "index" ? "" : `<text x="60" y="92" font-family="KaTeX_SansSerif" font-weight="700" font-size="36" fill="#1f55ad">posenc</text>`}
<text x="58" y="180" font-family="${family}" font-weight="700" font-size="68" fill="#1b2026">${title}</text>
${drawing(pe, page)}</svg>`;
}

/** A picture as PNG. */
async function painter(): Promise<(svg: string) => Uint8Array> {
  const { Resvg, initWasm } = await import("@resvg/resvg-wasm");
  // Once for the process: a second call is refused.
  await initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm"))).catch(() => undefined);
  const fontBuffers = [latin, chinese].filter((path) => path !== undefined).map((path) => readFileSync(path));
  const font = { fontBuffers, defaultFontFamily: "KaTeX_SansSerif" };
  return (svg) => {
    const drawn: InstanceType<typeof ResvgClass> = new Resvg(svg, { font });
    try {
      const image = drawn.render();
      return palettePng(image.pixels, image.width, image.height) ?? image.asPng();
    } finally {
      drawn.free();
    }
  };
}

export function previewImages(root: string, dist: string): Plugin {
  return {
    name: "posenc-site:preview-images",
    apply: "build",
    async generateBundle() {
      try {
        const { init } = (await import(pathToFileURL(join(dist, "inline.js")).href)) as typeof import("posenc");
        const [pe, paint] = await Promise.all([init(), painter()]);
        for (const page of pageNames(root))
          for (const locale of locales)
            this.emitFile({
              type: "asset",
              fileName: imageOf(page, locale),
              source: paint(pictureOf(pe, page, locale)),
            });
      } catch (error) {
        // The site is whole without them.
        this.warn(`no pictures for links: ${String(error)}`);
      }
    },
  };
}

import { createServer, type Plugin, type ViteDevServer } from "vite";

interface Renderer {
  render(page: string, locale: string): Promise<string>;
}

/**
 * Writes the text of every page into its HTML at build time, so that it can be read before (and without) scripts.
 * The figures stay empty until the browser has the library.
 */
export function prerender(root: string): Plugin {
  let server: Promise<ViteDevServer> | undefined;
  let building = false;
  let configFile: string | undefined;

  async function renderer(): Promise<Renderer> {
    // One for all pages: they are asked for at the same time. A second Vite in middleware mode compiles the components for the server side; it never listens.
    server ??= createServer({
      root,
      configFile,
      logLevel: "error",
      appType: "custom",
      server: { middlewareMode: true, hmr: false, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    });
    return (await (await server).ssrLoadModule("/src/prerender.ts")) as Renderer;
  }

  return {
    name: "posenc-site:prerender",
    configResolved(config) {
      building = config.command === "build";
      configFile = config.configFile;
    },
    transformIndexHtml: {
      order: "pre",
      async handler(html, context) {
        if (!building) return html;
        const locale = /<html lang="([\w-]+)"/.exec(html)?.[1] ?? "en";
        const page = /([\w-]+)\.html$/.exec(context.path)?.[1] ?? "index";
        const body = await (await renderer()).render(page, locale);
        return html.replace('<div id="app"></div>', () => `<div id="app">${body}</div>`);
      },
    },
    async closeBundle() {
      await (await server)?.close();
      server = undefined;
    },
  };
}

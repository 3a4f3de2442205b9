// The libraries that posenc is measured against: where they lie, and as single files for pages.
import { inRoot } from "../../web/tasks/prepare.mjs";

/** A file of an installed peer. */
export const peer = (...parts) => inRoot("tests", "bench", "node_modules", ...parts);

/** A module of the bench, with the parts of a library that it uses, as one file. */
export async function bundled(file) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [inRoot("tests", "bench", file)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
    platform: "browser",
    logLevel: "error",
  });
  return outputFiles[0].contents;
}

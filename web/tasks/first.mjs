// A quick build of the tutorial for npm start: one WebAssembly build instead of four, JavaScript that is not minified,
// no types and no API documentation. Figures show the same values.
import { mkdirSync, rmSync } from "node:fs";
import { bundleQuickly, wasmFile } from "./bundle.mjs";
import { buildTutorial, buildWasm } from "./build.mjs";
import { ifChanged, inRoot, log, root } from "./prepare.mjs";
import { relative } from "node:path";

/** Makes the tutorial in build/first/dist-site. Returns that folder. */
export async function buildFirst() {
  const folder = inRoot("build", "first");
  const [dist, site] = ["dist", "dist-site"].map((name) => `${folder}/${name}`);
  await buildWasm("simd");
  const inputs = [relative(root, wasmFile("simd")), "web/src", "web/site", "examples", "package.json"];
  await ifChanged("first", inputs, `${relative(root, site)}/index.html`, async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dist, { recursive: true });
    log("building JavaScript");
    await bundleQuickly(dist, "simd");
    await buildTutorial(folder);
  });
  return site;
}

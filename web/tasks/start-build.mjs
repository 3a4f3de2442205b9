// npm run build
import { installDependencies, log, runTask } from "./prepare.mjs";

await runTask(async () => {
  installDependencies();
  // Only now can the build's own dependencies be imported.
  const { buildLibrary, buildSite } = await import("./build.mjs");
  await buildLibrary();
  await buildSite();
  log("built dist/ (the package) and dist-site/ (the tutorial)");
});

// npm run build
import { log, runTask, setUp } from "./prepare.mjs";

await runTask(async () => {
  await setUp();
  // Only now can the build's own dependencies be imported.
  const { buildAll } = await import("./build.mjs");
  await buildAll();
  log("built dist/ (the package) and dist-site/ (the tutorial)");
});

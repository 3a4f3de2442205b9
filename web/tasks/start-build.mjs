// npm run build
import { log, runTask, setUp } from "./prepare.mjs";

await runTask(async () => {
  await setUp();
  // Imported late: the build's dependencies are installed now.
  const { buildAll } = await import("./build.mjs");
  await buildAll();
  log("built dist/ (the package) and dist-site/ (the tutorial)");
});

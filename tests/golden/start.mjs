// npm run golden -- DIR: the set-up, then every case under DIR through the public API.
import { spawnSync } from "node:child_process";
import { inRoot, installDependencies, runTask } from "../../web/tasks/prepare.mjs";

await runTask(async () => {
  await installDependencies();
  const { buildLibrary } = await import("../../web/tasks/build.mjs");
  await buildLibrary();
  // A process of its own: Node remembers how `posenc` resolved before it was built.
  const { status } = spawnSync(process.execPath, [inRoot("tests", "golden", "run.mjs"), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
});

// npm run bench: the set-up, then the speed table.
import { spawnSync } from "node:child_process";
import { inRoot, installDependencies, run, runTask, toolchain } from "../../web/tasks/prepare.mjs";

await runTask(async () => {
  installDependencies();
  const { buildLibrary } = await import("../../web/tasks/build.mjs");
  await buildLibrary();
  const { env } = await toolchain();
  run("cmake", ["--build", "--preset", "wasm", "--target", "bench_limits"], { env: { ...process.env, ...env } });
  const { status } = spawnSync(process.execPath, [inRoot("tests", "bench", "run.mjs")], { stdio: "inherit" });
  process.exitCode = status ?? 1;
});

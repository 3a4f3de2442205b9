// npm run bench: the set-up, then the bench in Node, in Chromium, or on its GPU.
import { spawnSync } from "node:child_process";
import { inRoot, installDependencies, log, runTask } from "../../web/tasks/prepare.mjs";
import { hasPeers, readSettings, withoutPeers } from "./settings.mjs";

/** Installs what posenc is measured against; without a network the bench goes on without them. */
async function withInstalledPeers(settings) {
  if (settings.dawn) {
    await installDependencies(inRoot("tests", "bench", "dawn"));
    return settings;
  }
  if (!hasPeers(settings)) return settings;
  try {
    await installDependencies(inRoot("tests", "bench"));
    return settings;
  } catch (error) {
    log(`${error.message}: measuring without onnxruntime-web and TensorFlow.js`);
    return withoutPeers(settings);
  }
}

// Node 20 has relaxed SIMD behind a flag only.
const nodeFlags = Number(process.versions.node.split(".")[0]) < 22 ? ["--experimental-wasm-relaxed-simd"] : [];

function programOf({ browser, webgpu, dawn }) {
  if (webgpu || dawn) return [[], "webgpu", "run.mjs"];
  return browser ? [[], "browser.mjs"] : [nodeFlags, "run.mjs"];
}

await runTask(async () => {
  const wanted = readSettings(process.argv.slice(2));
  await installDependencies();
  const { buildLibrary } = await import("../../web/tasks/build.mjs");
  await buildLibrary();
  const settings = await withInstalledPeers(wanted);
  const [flags, ...program] = programOf(settings);
  const { status } = spawnSync(
    process.execPath,
    [...flags, inRoot("tests", "bench", ...program), JSON.stringify(settings)],
    { stdio: "inherit" },
  );
  process.exitCode = status ?? 1;
});

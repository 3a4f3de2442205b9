// npm run bench -- --webgpu; start.mjs does the set-up and says what is wanted.
import { runTask } from "../../../web/tasks/prepare.mjs";
import { peer } from "../peers.mjs";
import { hasPeers } from "../settings.mjs";
import { gpuBench } from "./browser.mjs";
import { dawnBench } from "./dawn.mjs";
import { gpuReport } from "./report.mjs";

await runTask(async () => {
  const settings = JSON.parse(process.argv[2]);
  const { effort } = settings;
  const measured = settings.dawn
    ? await dawnBench({ effort })
    : await gpuBench({ effort, peer: hasPeers(settings) ? peer("onnxruntime-web") : undefined });
  console.log(gpuReport(measured));
  if (measured.ways?.some(({ fault }) => fault)) process.exitCode = 1;
});

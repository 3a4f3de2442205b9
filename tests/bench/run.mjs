// The bench in Node; start.mjs does the set-up and says what is wanted.
import { runTask } from "../../web/tasks/prepare.mjs";
import { runBench } from "./bench.mjs";
import { startContenders } from "./contenders/index.mjs";
import { efforts } from "./measure.mjs";
import { finish, printCase } from "./output.mjs";
import { environment } from "./environment-node.mjs";
import { startInNode, startUps } from "./start-up.mjs";

await runTask(async () => {
  const settings = JSON.parse(process.argv[2]);
  // Relaxed SIMD behind a flag is not what users get.
  const main = process.execArgv.length > 0 ? "simd" : (await environment.init()).variant;
  const effort = efforts[settings.effort];
  const contenders = await startContenders(settings.contenders, main, environment);
  const cases = await runBench(contenders, { only: settings.only, effort, variant: main, onResult: printCase });
  const startUp = settings.only.length > 0 ? undefined : await startUps(settings.contenders, startInNode);
  finish("node", { engine: `Node ${process.versions.node}`, variant: main, rounds: effort.rounds, cases, startUp });
});

// Downloads requirements of lanes besides the library: Debian programs and packages to compare with. npm test -- --all
// gets them during the build. Each lane reports what is missing.
import {
  findEngines,
  findFormatter,
  findFuzzers,
  inRoot,
  installDependencies,
  runTask,
} from "../../web/tasks/prepare.mjs";

await runTask(async () => {
  findFormatter();
  findFuzzers();
  findEngines();
  for (const folder of [
    ["examples", "transformers"],
    ["tests", "transformers", "version-3"],
  ])
    await installDependencies(inRoot(...folder));
});

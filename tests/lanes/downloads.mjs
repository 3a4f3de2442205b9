// What all lanes need beside the library, for npm test -- --all to get while that is built: programs of Debian, packages to
// compare with. What cannot be had is said by the lane that lacks it.
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

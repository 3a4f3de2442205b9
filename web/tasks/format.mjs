// npm run format: clang-format and prettier over everything; with --check nothing is written.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { binary, inRoot, installDependencies, log, run, runTask } from "./prepare.mjs";

const cppFolders = ["cpp", "tests/cpp", "tests/digest", "tests/bench/limits", "examples"];

// Below examples lie node_modules, which lead back here.
const isDeep = (folder) => folder !== "examples";

function cppFiles() {
  return cppFolders.flatMap((folder) =>
    readdirSync(inRoot(folder), { recursive: isDeep(folder) })
      .filter((name) => /\.(hpp|cpp)$/.test(name))
      .map((name) => inRoot(folder, name)),
  );
}

await runTask(async () => {
  installDependencies();
  const check = process.argv.includes("--check");
  if (spawnSync("clang-format", ["--version"]).status === 0)
    run("clang-format", [...(check ? ["--dry-run", "-Werror"] : ["-i"]), ...cppFiles()]);
  else log("no clang-format on the PATH: C++ is left as it is");
  run(binary("prettier"), [check ? "--check" : "--write", "--log-level", "warn", "."]);
});

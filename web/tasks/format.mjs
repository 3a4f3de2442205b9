// npm run format: runs clang-format and prettier on all files; with --check nothing is written.
import { readdirSync } from "node:fs";
import { binary, findFormatter, inRoot, installDependencies, isFresh, markFresh, run, runTask } from "./prepare.mjs";

const cppFolders = ["cpp", "tests/cpp", "tests/fuzz", "tests/bench/limits", "examples"];

// examples contains node_modules with links to this folder.
const isDeep = (folder) => folder !== "examples";

function cppFiles() {
  return cppFolders.flatMap((folder) =>
    readdirSync(inRoot(folder), { recursive: isDeep(folder) })
      .filter((name) => /\.(hpp|cpp)$/.test(name))
      .map((name) => inRoot(folder, name)),
  );
}

await runTask(async () => {
  await installDependencies();
  const check = process.argv.includes("--check");
  findFormatter();
  const cpp = ["clang-format", [...cppFolders, ".clang-format"]];
  if (!check || !isFresh(...cpp, ".clang-format")) {
    run("clang-format", [...(check ? ["--dry-run", "-Werror"] : ["-i"]), ...cppFiles()]);
    markFresh(...cpp);
  }
  const cache = ["--cache", "--cache-strategy=content", `--cache-location=${inRoot("build", "prettier.json")}`];
  run(binary("prettier"), [check ? "--check" : "--write", ...cache, "--log-level", "warn", "."]);
});

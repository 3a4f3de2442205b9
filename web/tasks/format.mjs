// npm run format: runs clang-format and prettier on all files; with --check nothing is written.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import {
  digestOf,
  findFormatter,
  inRoot,
  installDependencies,
  isFresh,
  keepDigests,
  markFresh,
  readJson,
  root,
  run,
  runTask,
  writeWhole,
} from "./prepare.mjs";

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

/** Returns digests of the files that git knows or would add. */
function digests() {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, encoding: "utf8" });
  const files = listed.split("\0").filter((path) => path && existsSync(inRoot(path)));
  return Object.fromEntries(files.map((path) => [path, digestOf(path)]));
}

/** Returns the text that prettier makes of a file; undefined for files that are not its own. */
async function formatted(path, text) {
  // Imported late: the set-up installs it.
  const prettier = await import("prettier");
  const options = { ...(await prettier.resolveConfig(inRoot(path))), filepath: inRoot(path) };
  const { plugins } = options;
  const known = await prettier.getFileInfo(inRoot(path), { plugins, ignorePath: inRoot(".prettierignore") });
  return known.ignored || !known.inferredParser ? undefined : prettier.format(text, options);
}

/** Formats or checks the files that have changed since they passed. prettier's program takes twice as long. */
async function runPrettier(check) {
  const passed = inRoot("build", "prettier.json");
  const [known, now] = [readJson(passed), digests()];
  const isChanged = (path) => known[path] !== now[path];
  const all = [".prettierrc.json", ".prettierignore", "package-lock.json"].some(isChanged);
  const wrong = [];
  for (const path of Object.keys(now).filter((path) => all || isChanged(path))) {
    const text = readFileSync(inRoot(path), "utf8");
    try {
      const right = await formatted(path, text);
      if (right === undefined || right === text) continue;
      if (check) wrong.push(path);
      else writeFileSync(inRoot(path), right);
      now[path] = digestOf(path);
    } catch ({ message }) {
      wrong.push(`${path}: ${message}`);
    }
  }
  if (wrong.length > 0) throw new Error(`not formatted${check ? " (npm run format)" : ""}:\n${wrong.join("\n")}`);
  writeWhole(passed, JSON.stringify(now));
  keepDigests();
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
  await runPrettier(check);
});

// Runs programs for lanes.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { root } from "../../web/tasks/prepare.mjs";

const execute = promisify(execFile);

/** Returns the output and exit status of a program. Never throws. */
export async function outputOf(command, words) {
  const {
    stdout,
    stderr,
    code = 0,
  } = await execute(command, words, { cwd: root, maxBuffer: 1 << 28 }).catch((error) => error);
  return { stdout, stderr, code, output: `${stdout}${stderr}` };
}

/** Runs a step that passes or fails as a whole. Its output is shown if it fails. */
export async function step({ count, log }, name, command, words) {
  log(name);
  const { output, code } = await outputOf(command, words);
  if (code !== 0) console.log(output);
  count(name, code === 0 ? 1 : 0, code === 0 ? 0 : 1, [output]);
}

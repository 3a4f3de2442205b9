// Programs that lanes run.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { root } from "../../web/tasks/prepare.mjs";

const execute = promisify(execFile);

/** What a program said and how it ended; it never throws. */
export async function outputOf(command, words) {
  const {
    stdout,
    stderr,
    code = 0,
  } = await execute(command, words, { cwd: root, maxBuffer: 1 << 28 }).catch((error) => error);
  return { stdout, stderr, code, output: `${stdout}${stderr}` };
}

/** A step that passes or fails as a whole: what it says is shown if it fails. */
export async function step({ count, log }, name, command, words) {
  log(name);
  const { output, code } = await outputOf(command, words);
  if (code !== 0) console.log(output);
  count(name, code === 0 ? 1 : 0, code === 0 ? 0 : 1, [output]);
}

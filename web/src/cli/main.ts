// Runs the commands.
import { UsageError } from "./arguments.js";
import { isExpected } from "./files.js";
import { helpText } from "./help.js";
import { inspect } from "./inspect.js";
import { rewrite } from "./rewrite.js";
import type { Tools } from "./tools.js";

const commands = { inspect, rewrite } as const;
const isCommand = (word: string): word is keyof typeof commands => Object.hasOwn(commands, word);

/** Runs a command. Returns the exit code: 0 success, 1 an error in the model, 2 in the call. */
export async function main(words: readonly string[], tools: Tools): Promise<number> {
  const [command, ...rest] = words;
  try {
    if (words.includes("--help") || words.includes("-h") || command === "help") {
      tools.print(helpText.split("\n"));
      return 0;
    }
    if (command === "--version" || command === "-v") {
      tools.print([tools.version]);
      return 0;
    }
    if (command === undefined) throw new UsageError("name a command: inspect or rewrite");
    if (!isCommand(command)) throw new UsageError(`${command}: unknown command; use inspect or rewrite`);
    return await commands[command](rest, tools);
  } catch (error) {
    const isUsage = error instanceof UsageError;
    // For bugs of the program itself, show the stack.
    const { message, stack = message } = error as Error;
    for (const line of isUsage || isExpected(error) ? [message] : stack.split("\n")) tools.log(`posenc: ${line}`);
    if (isUsage) tools.log("(see posenc --help)");
    return isUsage ? 2 : 1;
  }
}

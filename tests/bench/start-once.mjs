// Prints how long one contender takes to be ready, in a process that does nothing else: node start-once.mjs posenc
import { startUp } from "./contenders/index.mjs";
import { environment } from "./environment-node.mjs";

console.log(await startUp(process.argv[2], environment));

import * as posenc from "./node_modules/posenc/dist/index.js";
import { check } from "./check.mjs";

check(posenc).then((result) => postMessage(result));

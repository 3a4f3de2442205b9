import * as posenc from "posenc/inline";
import { check } from "./check.mjs";

check(posenc).then((result) => postMessage(result));

import * as posenc from "posenc";
import { check } from "./check.mjs";

check(posenc).then((result) => postMessage(result));

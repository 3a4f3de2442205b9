import * as posenc from "posenc";
import { models } from "posenc/models";
import * as transformers from "posenc/transformers";
import { check } from "./check.mjs";

console.log(JSON.stringify(await check(posenc, { models, transformers })));

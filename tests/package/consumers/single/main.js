import * as posenc from "posenc/inline";
import { models } from "posenc/models";
import { check, show } from "./check.mjs";

show(check(posenc, { models }));

import * as posenc from "posenc";
import { check, show } from "./check.mjs";

show(check(posenc));

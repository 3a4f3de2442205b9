// Every page in English, narrow and dark.
import { describeLooks } from "./looks.ts";

describeLooks("en", [390, "dark"]);

// Every page in English, wide and light.
import { describeLooks } from "./looks.ts";

describeLooks("en", [1280, "light"]);

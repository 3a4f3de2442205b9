// Every page in English, wide and narrow, light and dark.
import { describeLooks } from "./looks.ts";

describeLooks("en");

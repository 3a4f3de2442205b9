// Every page in Chinese, narrow and dark.
import { describeLooks } from "./looks.ts";

describeLooks("zh-CN", [390, "dark"]);

// Every page in Chinese, wide and light.
import { describeLooks } from "./looks.ts";

describeLooks("zh-CN", [1280, "light"]);

// Every page in Chinese, wide and narrow, light and dark.
import { describeLooks } from "./looks.ts";

describeLooks("zh-CN");

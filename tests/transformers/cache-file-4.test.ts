import * as transformers from "@huggingface/transformers";
import { describeCacheFiles } from "./cache-file-suite";

describeCacheFiles(4, transformers);

// A process for each version: their builds of onnxruntime cannot be in one.
import { describeCacheFiles } from "./cache-file-suite";
import { transformers3 } from "./versions";

describeCacheFiles(3, await import(/* @vite-ignore */ transformers3));

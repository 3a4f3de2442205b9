// A process for each version: their builds of onnxruntime cannot be in one.
import { describePositions } from "./positions-suite";
import { transformers3 } from "./versions";

describePositions(3, await import(/* @vite-ignore */ transformers3), transformers3);

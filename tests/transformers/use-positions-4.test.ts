// A process for each version: their builds of onnxruntime cannot be in one.
import * as library from "@huggingface/transformers";
import { describePositions } from "./positions-suite";
import { transformers4 } from "./versions";

describePositions(4, library, transformers4);

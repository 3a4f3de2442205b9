// transformers.js from this folder alone: nothing is downloaded.
import { env } from "@huggingface/transformers";
import { writeModels } from "./models/files.js";

export function useLocalModels() {
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = writeModels();
}

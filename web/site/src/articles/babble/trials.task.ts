// A model reads one passage under the trials, in a worker.
import { download } from "../../lab/download.ts";
import { LanguageModel } from "../../lab/language-model.ts";
import { idsOf } from "../../lab/read-along.ts";
import { serveTask } from "../../lib/task.ts";
import { tried, type TrialName } from "./trials.ts";

export interface TrialsTask {
  address: string;
  bytes: number;
  vocabulary: string[];
  text: string;
  names: TrialName[];
  /** The character of the text at which the passage begins. */
  at: number;
}

export type Tried = Partial<Record<TrialName, number>>;

serveTask<TrialsTask, Tried, Tried>(async (pe, { address, bytes, vocabulary, text, names, at }, report) => {
  const model = new LanguageModel(await download(address, (loaded) => report(0.3 * Math.min(1, loaded / bytes))));
  const ids = idsOf(text, vocabulary);
  const found: Tried = {};
  for (const [index, name] of names.entries()) {
    found[name] = tried(pe, model, ids, name, [at]);
    report(0.3 + (0.7 * (index + 1)) / names.length, { ...found });
  }
  return found;
});

// Reads and goes on away from the page.
import { serveTask } from "../lib/task.ts";
import { goOn, readTexts, type Answer, type AnswerTask, type Files, type ReadTask, type Refusal } from "./work.ts";

serveTask<ReadTask | AnswerTask, Files | Answer | Refusal, Files>((pe, task, report) =>
  "texts" in task ? readTexts(pe, task, report) : goOn(pe, task, report),
);

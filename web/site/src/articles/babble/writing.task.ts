// A model writes on, in a worker.
import { writeOn, type WritingTask, type Written } from "../../lab/writing.ts";
import { serveTask } from "../../lib/task.ts";

serveTask<WritingTask, Written, Written>(writeOn);

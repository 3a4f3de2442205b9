// One of the arena's models looks for a key, in a worker.
import { searchNeedle, type NeedleFound, type NeedleTask } from "../../lab/needle.ts";
import { serveTask } from "../../lib/task.ts";

serveTask<NeedleTask, NeedleFound>(searchNeedle);

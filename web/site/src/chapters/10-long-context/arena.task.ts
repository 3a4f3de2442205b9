// Reads a text with the models of the arena, in a worker.
import { readAlong, type Readings, type ReadingTask } from "../../lab/read-along.ts";
import { serveTask } from "../../lib/task.ts";

serveTask<ReadingTask, Readings, Readings>(readAlong);

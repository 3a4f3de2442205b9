// A real model's sums are taken apart, in a worker.
import { serveTask } from "../../lib/task.ts";
import { readSums, type Reading, type ReadingTask } from "./reading.ts";

serveTask<ReadingTask, Reading>(readSums);

// A real model reads the reader's text, in a worker.
import { underHands, type HandsResult, type HandsTask } from "../../lab/hands.ts";
import { serveTask } from "../../lib/task.ts";

serveTask<HandsTask, HandsResult, HandsResult>(underHands);

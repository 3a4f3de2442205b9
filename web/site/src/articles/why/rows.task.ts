// Looks for a matrix that leads from rows of a table to later ones, in a worker.
import { serveTask } from "../../lib/task.ts";
import { stepsFound, tableOf, type StepsTask } from "./rows.ts";

serveTask<StepsTask, number>((pe, { name, rows, steps }) => stepsFound(rows ?? tableOf(pe, name), steps));

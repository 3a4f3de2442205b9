// Trains a learned table in a worker.
import { tableLearner } from "../../lib/learners.ts";
import { serveTask } from "../../lib/task.ts";
import { train, type Trained } from "../../lib/training.ts";
import { noise, tableRows, type TableCourse } from "./settings.ts";

serveTask<TableCourse, Trained<TableCourse>, Trained<TableCourse>>((pe, course, report) => {
  const { dim, seed } = course;
  const table = pe.create({ kind: "learned", length: tableRows, dim, std: noise, seed });
  return train(pe, tableLearner(table), course, report);
});

// Trains a learned table in a worker.
import { tableLearner } from "../../lib/learners.ts";
import { serveTask } from "../../lib/task.ts";
import { train, type Trained } from "../../lib/training.ts";
import { noise, tableRows, type TableCourse } from "./settings.ts";

/** A page that is shown more pictures than it can draw falls behind. */
const millisecondsPerPicture = 60;

serveTask<TableCourse, Trained<TableCourse>, Trained<TableCourse>>((pe, course, report) => {
  const { dim, seed } = course;
  const table = pe.create({ kind: "learned", length: tableRows, dim, std: noise, seed });
  let last = performance.now();
  return train(pe, tableLearner(table), course, (fraction, soFar) => {
    if (performance.now() - last < millisecondsPerPicture) return;
    report(fraction, soFar());
    last = performance.now();
  });
});

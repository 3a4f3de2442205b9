// Trains small learners one after the other, in a worker.
import { serveTask } from "../../lib/task.ts";
import { trainAndExamine, type Course, type Report } from "./learners.ts";

serveTask<Course[], Report[], Report[]>((pe, courses, report) => {
  const done: Report[] = [];
  courses.forEach((course, index) => {
    const found = trainAndExamine(pe, course, (fraction, soFar) =>
      report((index + fraction) / courses.length, [...done, soFar]),
    );
    done.push(found);
    report((index + 1) / courses.length, [...done]);
  });
  return done;
});

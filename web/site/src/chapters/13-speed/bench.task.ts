// The race, in a worker.
import { serveTask } from "../../lib/task.ts";
import { runBench, type BenchResult, type Contest, type Variant } from "./bench.ts";

serveTask<Contest, BenchResult, BenchResult>((pe, contest, report) => runBench(contest, pe.variant as Variant, report));

// The race, in a worker.
import { serveTask } from "../../lib/task.ts";
import { runBench, type BenchResult, type Variant } from "./bench.ts";
import type { SizeName } from "./cases.ts";

serveTask<SizeName, BenchResult, BenchResult>((pe, size, report) => runBench(size, pe.variant as Variant, report));

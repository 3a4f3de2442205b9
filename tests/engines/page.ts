// conformance.html runs the golden cases in the page and in a worker, and prints a JSON of both. In the address:
// ?what=tests for the test files of tests/js, ?where=page or ?where=worker for one place only, ?only=memory for some.
import { runHere } from "./run-here";
import type { Report, What } from "./run-here";

const query = new URLSearchParams(location.search);
const what = (query.get("what") ?? "golden") as What;
const only = query.get("only") ?? "";
const output = document.querySelector("pre")!;
const tell = (line: string): void => void (output.textContent += `${line}\n`);

function runInWorker(): Promise<Report> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const report = new Promise<Report>((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || "the worker did not start"));
    worker.onmessage = ({ data }: MessageEvent<{ line?: string; report?: Report; error?: string }>) => {
      if (data.line) tell(data.line);
      if (data.error) reject(new Error(data.error));
      if (data.report) resolve(data.report);
    };
  });
  worker.postMessage({ what, only });
  return report.finally(() => worker.terminate());
}

const places = { page: () => runHere(what, only, tell), worker: runInWorker };

async function runAll(): Promise<object> {
  const reports: Record<string, unknown> = { engine: navigator.userAgent, what };
  for (const [place, run] of Object.entries(places)) {
    if ((query.get("where") ?? place) !== place) continue;
    reports[place] = await run().catch((error: unknown) => ({ passed: 0, failed: 1, failures: [String(error)] }));
  }
  return reports;
}

const reports = await runAll();
output.textContent = JSON.stringify(reports, null, 2);
document.title = "done";

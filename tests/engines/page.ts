// conformance.html runs the golden cases in the page and in a worker, and prints a JSON of both. In the address:
// ?files=/golden.test.ts,/wasm/memory.test.ts for test files of tests/js, ?files for all of them, ?where=page or ?where=worker
// for one place only, ?turns for the files by turns: each in the page or in a worker, as its place among all says.
import { broken } from "./run-here";
import type { Report, Work } from "./run-here";
import { testFiles } from "./suite";

const query = new URLSearchParams(location.search);
const files = query.get("files")?.split(",").filter(Boolean);
const what = files ? "tests" : "golden";
const output = document.querySelector("pre")!;

/** Each work in a place of its own: a test file must find the library as it begins. */
const environments: Record<string, (work: Work) => Promise<Report>> = {
  page: (work) => {
    const frame = document.createElement("iframe");
    frame.src = `./frame.html#${encodeURIComponent(JSON.stringify(work))}`;
    const report = new Promise<Report>((resolve) =>
      addEventListener("message", ({ data }: MessageEvent<Report>) => resolve(data), { once: true }),
    );
    document.body.append(frame);
    return report.finally(() => frame.remove());
  },
  worker: (work) => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    const report = new Promise<Report>((resolve) => {
      worker.onerror = (event) => resolve(broken(event.message || "the worker did not start"));
      worker.onmessage = ({ data }: MessageEvent<Report>) => resolve(data);
    });
    worker.postMessage(work);
    return report.finally(() => worker.terminate());
  },
};

const works: Work[] =
  what === "golden"
    ? ["golden"]
    : testFiles
        .filter((file) => files!.length === 0 || files!.includes(file.replace("../js", "")))
        .map((file) => ({ file }));

const includesWork = (environment: string, work: Work) =>
  work === "golden" ||
  !query.has("turns") ||
  Object.keys(environments).indexOf(environment) === testFiles.indexOf(work.file) % 2;

async function runIn(environment: string): Promise<Report & { seconds: number }> {
  const start = performance.now();
  const sum = { passed: 0, failed: 0, skipped: 0, failures: [] as string[] };
  for (const work of works.filter((work) => includesWork(environment, work))) {
    const name = typeof work === "string" ? work : work.file;
    output.textContent += `${environment}: ${name} begins\n`;
    const { passed, failed, skipped, failures, ...others } = await environments[environment]!(work);
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
    sum.failures.push(...failures);
    Object.assign(sum, others);
    output.textContent += `${environment}: ${name}\n`;
  }
  return { ...sum, seconds: Math.round((performance.now() - start) / 100) / 10 };
}

const reports: Record<string, unknown> = { engine: navigator.userAgent, what };
for (const environment of Object.keys(environments))
  if ((query.get("where") ?? environment) === environment) reports[environment] = await runIn(environment);
output.textContent = JSON.stringify(reports, null, 2);
document.title = "done";

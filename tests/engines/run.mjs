// conformance.html in Chromium, Firefox ESR and WebKitGTK: the golden cases under a strict policy, and the test files of
// tests/js, each in the page and in a worker. By hand: node tests/engines/run.mjs [firefox webkit chromium] [only=memory],
// or node tests/engines/run.mjs serve, and open the page in any browser.
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright";
import { binary, findChromium, findEngines, inRoot, log, run, runTask } from "../../web/tasks/prepare.mjs";
import { contentSecurityPolicy, serve } from "../../web/tasks/serve.mjs";
import { byTwo } from "../lanes/by-two.mjs";
import { sum } from "../lanes/counting.mjs";
import { startFirefox } from "./firefox.mjs";
import { startWebKit } from "./webkit.mjs";
import { chromiumOptions } from "../js/chromium.mjs";

/** How long nothing may be heard of the page: a test has two minutes. */
const patience = 150_000;
class Silence extends Error {}

const startChromium = async () => {
  const browser = await chromium.launch({ ...chromiumOptions(), executablePath: findChromium() });
  return { version: browser.version(), open: async (url) => openPage(browser, url), close: () => browser.close() };
};

async function openPage(browser, url) {
  const page = await browser.newPage();
  await page.goto(url);
  return { evaluate: (expression) => page.evaluate(expression) };
}

const testFiles = (only) =>
  readdirSync(inRoot("tests", "js"), { recursive: true })
    .map((name) => `/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".test.ts") && !name.startsWith("/node/") && name.includes(only))
    .sort();

const whole = (only) => [testFiles(only)];
/** WebKitGTK does not give back the memory of a frame that has gone: a browser runs a few files. */
const few = 4;
function byFew(only) {
  const files = testFiles(only);
  return Array.from({ length: Math.ceil(files.length / few) }, (_, i) => files.slice(i * few, (i + 1) * few));
}

/** How each is started, and where it runs the test files, in how many parts: vitest runs them in Chromium's page. */
const engines = {
  firefox: { environments: ["page", "worker"], parts: whole, start: startFirefox },
  chromium: { environments: ["worker"], parts: whole, start: startChromium },
  webkit: { environments: ["page", "worker"], parts: byFew, start: startWebKit },
};

/** Throws where a test has waited in vain for the engine. */
function answered(reports) {
  const failures = Object.values(reports).flatMap((report) => report.failures ?? []);
  const waited = failures.find((failure) => failure.includes("timed out in"));
  if (waited) throw new Silence(waited.split("\n", 1)[0]);
  return reports;
}

/** The JSON that the page prints in the end; until then it tells what is done. */
async function reportsOf(browser, url) {
  const page = await browser.open(url);
  let text = "";
  try {
    for (let end = Date.now() + patience; Date.now() < end; await sleep(250)) {
      const done = (await page.evaluate("document.title")) === "done";
      const before = text;
      text = await page.evaluate('document.querySelector("pre").textContent');
      if (done) return answered(JSON.parse(text));
      if (text !== before) end = Date.now() + patience;
    }
  } catch (error) {
    if (error instanceof Silence) throw error;
    throw new Error(`${error.message}, after ${text.trim().split("\n").at(-1)}`, { cause: error });
  }
  throw new Silence(`nothing for ${patience / 1000} s, after ${text.trim().split("\n").at(-1)}`);
}

const broken = (error) => ({ passed: 0, failed: 1, skipped: 0, failures: [String(error)] });

const sumOfFiles = (reports) => ({
  ...sum(reports),
  skipped: reports.reduce((total, { skipped }) => total + skipped, 0),
  seconds: Math.round(reports.reduce((total, { seconds = 0 }) => total + seconds, 0)),
});

/** What a page of this engine reports. */
async function inBrowser(name, programs, url, isAgain = false) {
  let browser;
  try {
    browser = await engines[name].start(programs);
    return await reportsOf(browser, url);
  } catch (error) {
    // Browsers come to a halt by themselves now and then, under load: what hangs for a reason hangs again.
    if (!(error instanceof Silence) || isAgain) return { page: broken(error), worker: broken(error) };
    log(`${name} is started once more: ${error.message}`);
  } finally {
    await browser?.close();
  }
  return inBrowser(name, programs, url, true);
}

/** The pages that one engine opens, and what to tell once all of them have reported. */
function workOf(name, { strict, loose }, { only, inTurns }, onReport) {
  const { environments, parts } = engines[name];
  const where = environments.length === 1 ? `&where=${environments[0]}` : "";
  const filesIn = (files) => `${loose.url}conformance.html?files=${files.join()}${where}${inTurns ? "&turns" : ""}`;
  const urls = [`${strict.url}conformance.html`, ...parts(only).map(filesIn)];
  const reports = [];
  const done = (report, index) => {
    reports[index] = report;
    if (Object.keys(reports).length < urls.length) return;
    const [golden, ...tested] = reports;
    for (const environment of ["page", "worker"])
      onReport(`golden cases in ${name}, ${environment}`, golden[environment]);
    for (const environment of environments)
      onReport(`test files in ${name}, ${environment}`, sumOfFiles(tested.map((report) => report[environment])));
  };
  return urls.map((url, index) => ({ name, url, done: (report) => done(report, index) }));
}

export function buildConformance() {
  run(binary("vite"), ["build", "--config", "tests/engines/vite.config.ts"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/**
 * Builds and runs the page in these engines, two at a time; returns those that this machine cannot have. `inTurns`: each
 * test file in one place, the page or a worker, where it would run in both: half the time.
 */
export async function runEngines(onReport, { names = Object.keys(engines), only = "", inTurns = false } = {}) {
  const programs = findEngines();
  const present = names.filter((name) => programs || name === "chromium");
  const missing = names.filter((name) => !present.includes(name));
  buildConformance();
  const folder = inRoot("build", "engines");
  // The tests fetch data: addresses, which the policy forbids.
  const servers = { strict: await serve(folder, 0, contentSecurityPolicy), loose: await serve(folder, 0, "") };
  const work = present.flatMap((name) => workOf(name, servers, { only, inTurns }, onReport));
  await byTwo(work, async ({ name, url, done }) => done(await inBrowser(name, programs, url)));
  for (const server of Object.values(servers)) server.close();
  return missing;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await runTask(async () => {
    const words = process.argv.slice(2);
    if (words.includes("serve")) {
      buildConformance();
      const { url } = await serve(inRoot("build", "engines"), 0, "");
      return log(`${url}conformance.html`);
    }
    const only = words.find((word) => word.startsWith("only="))?.slice("only=".length);
    const names = words.filter((word) => word in engines);
    process.exitCode = 0;
    const onReport = (name, { passed, failed, skipped, seconds, variant, failures }) => {
      log(
        `${name}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s${variant ? ` (${variant})` : ""}`,
      );
      for (const failure of failures.slice(0, 20)) console.log(`  ${failure}`);
      if (failed > 0) process.exitCode = 1;
    };
    const missing = await runEngines(onReport, { names: names.length > 0 ? names : undefined, only });
    if (missing.length > 0) throw new Error(`not here: ${missing.join(", ")}`);
  });

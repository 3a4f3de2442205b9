// The bench in a page. What is wanted stands in its address: ?contenders=posenc,plain&only=rope&effort=quick&tiny, or
// ?start=posenc for a start alone. `globalThis.finished` promises the result; each case is also logged as it comes.
import { runBench } from "./tests/bench/bench.mjs";
import { startContenders, startUp } from "./tests/bench/contenders/index.mjs";
import { efforts } from "./tests/bench/measure.mjs";
import { caseText } from "./tests/bench/report.mjs";

const query = new URLSearchParams(location.search);
const list = (name) => query.get(name)?.split(",").filter(Boolean) ?? [];
const here = (path) => new URL(path, import.meta.url).href;

const environment = {
  init: async (options) => (await import(here("./posenc/index.js"))).init({ parts: "all", ...options }),
  limits: (variant) => WebAssembly.compileStreaming(fetch(here(`./limits/bench_limits_${variant}.wasm`))),
  ort: () => import(here("./peers/ort.wasm.bundle.min.mjs")),
  tfjs: async () => (await import(here("./peers/tfjs.mjs"))).startTfjs(here("./peers/")),
};

/** Lets the page show what there is so far. */
const breathe = () => new Promise((resolve) => setTimeout(resolve));

async function bench() {
  const { variant } = await environment.init();
  const effort = efforts[query.get("effort") ?? "full"];
  const contenders = await startContenders(list("contenders"), variant, environment);
  const output = document.querySelector("pre");
  output.textContent = `posenc ${variant}\n`;
  const onResult = (result) => {
    console.log(caseText(result));
    output.textContent += `\n${caseText(result)}\n`;
    return breathe();
  };
  const isTiny = query.has("tiny");
  const cases = await runBench(contenders, { only: list("only"), effort, isTiny, variant, onResult });
  return { variant, rounds: effort.rounds, cases };
}

globalThis.finished = query.has("start") ? startUp(query.get("start"), environment) : bench();

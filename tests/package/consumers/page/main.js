import * as posenc from "posenc";
import { models } from "posenc/models";
import * as transformers from "posenc/transformers";
import { init as initInWorker } from "posenc/worker";
import { check, show } from "./check.mjs";

/** The same in a worker, and that it says the same. */
async function both() {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const inWorker = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`worker: ${message}`));
  });
  const here = JSON.stringify(await check(posenc, { models, transformers }));
  if (JSON.stringify(await inWorker) !== here) throw new Error("the worker says something else");
  await checkWorker();
  return JSON.parse(here);
}

/** The library in a worker of its own: the bundler has copied its script. */
async function checkWorker() {
  const [pe, there] = [await posenc.init(), await initInWorker()];
  const spec = { kind: "rope", dim: 8 };
  const angles = await (await there.create(spec)).angles({ length: 5 });
  if (String(angles) !== String(pe.create(spec).angles({ length: 5 })))
    throw new Error("posenc/worker says something else");
  there.terminate();
}

show(both());

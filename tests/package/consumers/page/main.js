import * as posenc from "posenc";
import { models } from "posenc/models";
import * as transformers from "posenc/transformers";
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
  return JSON.parse(here);
}

show(both());

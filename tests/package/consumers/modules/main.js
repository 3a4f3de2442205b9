import * as posenc from "./node_modules/posenc/dist/index.js";
import * as inline from "./node_modules/posenc/dist/inline.js";
import { models } from "./node_modules/posenc/dist/models.js";
import { check, show } from "./check.mjs";

async function everywhere() {
  const worker = new Worker("./worker.js", { type: "module" });
  const inWorker = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`worker: ${message}`));
  });
  const texts = [check(posenc, { models }), check(inline, { models }), inWorker].map(async (one) =>
    JSON.stringify(await one),
  );
  const [here, ...others] = await Promise.all(texts);
  if (others.some((other) => other !== here)) throw new Error("the inline entry or the worker says something else");
  // As a server of one's own has the file, by its address there.
  const { variant } = await posenc.init("/node_modules/posenc/dist/posenc.simd.wasm");
  if (variant !== "simd") throw new Error(`the address gives the ${variant} build`);
  return JSON.parse(here);
}

show(everywhere());

import { show } from "./check.mjs";
import WithFiles from "./with-files.js?worker&inline";
import WithoutFiles from "./without-files.js?worker&inline";

const answerOf = (worker) =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`worker: ${message}`));
  });

/** A worker that is no file has none beside it, which `init` says: posenc/inline needs none. */
async function both() {
  const said = await answerOf(new WithFiles());
  if (!/\.wasm files.*or import posenc\/inline|address of the \.wasm file/.test(said))
    throw new Error(`init says: ${said}`);
  return answerOf(new WithoutFiles());
}

show(both());

import { show } from "./check.mjs";
import WithFiles from "./with-files.js?worker&inline";
import WithoutFiles from "./without-files.js?worker&inline";

const messageFrom = (worker) =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`worker: ${message}`));
  });

/** A worker that is no file has none beside it, which `init` says: posenc/inline needs none. */
async function both() {
  const message = await messageFrom(new WithFiles());
  if (!/\.wasm files.*or import posenc\/inline|address of the \.wasm file/.test(message))
    throw new Error(`init says: ${message}`);
  return messageFrom(new WithoutFiles());
}

show(both());

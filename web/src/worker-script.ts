// The script that the worker of posenc/worker runs: posenc.worker.js.
import { PosencError } from "./base/errors.js";
import { makeInit } from "./init.js";
import { partFunctions } from "./library.js";
import { included } from "./parts/included.js";
import { parentPort } from "./wasm/node.js";
import type { Start, ToWorker } from "./worker/messages.js";
import { Service } from "./worker/service.js";

/** Starts the library with the builds at these addresses. */
function start({ addresses, options }: Start) {
  const at = (file: keyof Start["addresses"]): string => {
    const address = addresses[file];
    if (address !== undefined) return address;
    throw new PosencError("load-failed", `source: cannot locate posenc.${file}.wasm; pass source`, "source");
  };
  const init = makeInit({
    code: included,
    whole: at,
    part: at,
    threads: { source: () => at("threads"), starter: () => import("./wasm/threads.js") },
  });
  return init(options as never);
}

const port = parentPort();
const service = new Service(start, partFunctions, (message, transfer) => port.postMessage(message, transfer));
port.onmessage = ({ data }) => service.receive(data as ToWorker);

// The code that the worker of posenc/worker runs. It is shipped as text (worker-code.js) and as a file.
import { parentPort } from "../wasm/node.js";
import type { ToWorker } from "./messages.js";
import { Service } from "./service.js";

const port = parentPort();
const service = new Service((message, transfer) => port.postMessage(message, transfer));
port.onmessage = ({ data }) => service.receive(data as ToWorker);

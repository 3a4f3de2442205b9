// A worker that says "ready" and then is in one call for minutes; in browsers and in Node.
import { init } from "posenc";

const nodeModule = "node:worker_threads";
const port = typeof postMessage === "function" ? globalThis : (await import(/* @vite-ignore */ nodeModule)).parentPort;

const pe = await init({ parts: "all" });
const rope = pe.create({ kind: "rope", dim: 64 });
const dims = [1, 8, 1 << 16, 64];
const q = pe.tensor(dims);
port.postMessage("ready");
pe.attention(q, q, q, { encoding: rope });
port.postMessage("done");

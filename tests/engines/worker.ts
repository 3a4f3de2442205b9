// The same in a worker: work comes in, its report goes out.
import { broken, runHere } from "./run-here";
import type { Work } from "./run-here";

addEventListener("message", ({ data }: MessageEvent<Work>) => {
  runHere(data)
    .catch(broken)
    .then((report) => postMessage(report));
});

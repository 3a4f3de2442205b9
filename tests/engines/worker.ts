// The same in a worker: { what, only } comes in; { line } and at last { report } or { error } go out.
import { runHere } from "./run-here";
import type { What } from "./run-here";

addEventListener("message", ({ data }: MessageEvent<{ what: What; only: string }>) => {
  runHere(data.what, data.only, (line) => postMessage({ line })).then(
    (report) => postMessage({ report }),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});

// The same in a frame, which has a library of its own.
import { broken, runHere } from "./run-here";
import type { Work } from "./run-here";

const work = JSON.parse(decodeURIComponent(location.hash.slice(1))) as Work;
parent.postMessage(await runHere(work).catch(broken), "*");

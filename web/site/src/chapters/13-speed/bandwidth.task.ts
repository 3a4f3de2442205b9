// Gigabytes per second by the size of the buffer, in a worker.
import { serveTask } from "../../lib/task.ts";
import { runBandwidth, type BandwidthResult } from "./bandwidth.ts";
import type { SizeName } from "./cases.ts";

serveTask<SizeName, BandwidthResult, BandwidthResult>(runBandwidth);

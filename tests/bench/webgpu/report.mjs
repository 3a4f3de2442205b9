// What the bench of posenc/webgpu prints.
import { significant, table, time } from "../report.mjs";

/** A copy of the same bytes: what the memory of the GPU does at most. */
const copyOf = (ways) => ways.find(({ error, fault }) => error === undefined && !fault);

const off = ({ error, fault }) => fault ?? (error === undefined ? "" : error.toExponential(0));

function timedRow(way, speedOfCopy) {
  const { label, bytes, ms, spread, fault } = way;
  if (fault) return [label, fault, "", "", "", ""];
  const speed = bytes / ms / 1e6;
  return [label, time(ms), `${significant(speed)} GB/s`, `${significant(speed / speedOfCopy)} ×`, `${(100 * spread).toFixed(0)} %`, off(way)]; // prettier-ignore
}

/** { adapter, isSoftware, rounds, ways } as Markdown. A software adapter has no speed that would mean anything. */
export function gpuReport({ adapter, isSoftware, rounds, ways }) {
  if (!ways) return "no WebGPU here: this browser has no adapter; nothing was checked or timed";
  if (isSoftware) {
    const rows = ways.filter(({ error }) => error !== undefined).map((way) => [way.label, off(way)]);
    return `no GPU here: software adapter ${adapter}; checked, not timed\n\n${table(["call", "largest difference from the CPU"], rows)}`;
  }
  const { bytes, ms } = copyOf(ways);
  const heads = ["call", "time", "speed", "beside the copy", "middle half", "largest difference"];
  const rows = ways.map((way) => timedRow(way, bytes / ms / 1e6));
  return `# posenc/webgpu on ${adapter}\n\nMedians of ${rounds} alternating rounds; bytes read and written.\n\n${table(heads, rows)}`;
}

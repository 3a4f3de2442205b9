// A file on a server, of which ranges are fetched.
import { PosencError } from "../base/errors.js";
import { openSource, withStart, type Source } from "../base/source.js";

const failed = (url: URL, why: string, cause?: unknown): PosencError =>
  new PosencError("load-failed", `source: cannot fetch ${url.href}: ${why}`, "source", { cause });

async function fetched(url: URL, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { headers, ...(signal && { signal }) });
  } catch (cause) {
    signal?.throwIfAborted();
    throw failed(url, String(cause), cause);
  }
  if (!response.ok) throw failed(url, `status ${response.status}`);
  return response;
}

/** Bytes of the first range: the header of most files, and some of what follows it. */
const startBytes = 2 ** 14;

/** Returns the bytes of a response. Throws `load-failed` if their number is another. */
async function bytesOf(response: Response, url: URL, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length !== length) throw failed(url, `${bytes.length} bytes of ${length}`);
  return bytes;
}

/** Opens a file on a server. One that does not send ranges is fetched whole. A signal aborts all of its requests. */
export async function rangesOf(url: URL, signal?: AbortSignal): Promise<Source> {
  const first = await fetched(url, { Range: `bytes=0-${startBytes - 1}` }, signal);
  const size = Number(/\/(\d+)$/.exec(first.headers.get("Content-Range") ?? "")?.[1] ?? NaN);
  if (first.status !== 206) return openSource(first, "source");
  if (!Number.isSafeInteger(size)) return openSource(await fetched(url, {}, signal), "source");
  const start = await bytesOf(first, url, Math.min(size, startBytes));
  const source = {
    size,
    async read(offset: number, length: number): Promise<Uint8Array> {
      const part = await fetched(url, { Range: `bytes=${offset}-${offset + length - 1}` }, signal);
      return bytesOf(part, url, length);
    },
  };
  return withStart(source, start);
}

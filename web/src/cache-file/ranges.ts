// A file on a server, of which ranges are fetched.
import { PosencError } from "../base/errors.js";
import { openSource, type Source } from "../base/source.js";

const failed = (url: URL, why: string, cause?: unknown): PosencError =>
  new PosencError("load-failed", `source: cannot fetch ${url.href}: ${why}`, "source", { cause });

async function fetched(url: URL, headers: Record<string, string>): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { headers });
  } catch (cause) {
    throw failed(url, String(cause), cause);
  }
  if (!response.ok) throw failed(url, `status ${response.status}`);
  return response;
}

/** Opens a file on a server. One that does not send ranges is fetched whole. */
export async function rangesOf(url: URL): Promise<Source> {
  const first = await fetched(url, { Range: "bytes=0-7" });
  const size = Number(/\/(\d+)$/.exec(first.headers.get("Content-Range") ?? "")?.[1] ?? NaN);
  if (first.status !== 206) return openSource(first, "source");
  if (!Number.isSafeInteger(size)) return openSource(await fetched(url, {}), "source");
  const start = new Uint8Array(await first.arrayBuffer());
  return {
    size,
    async read(offset, length) {
      if (length === 0) return new Uint8Array();
      if (offset + length <= start.length) return start.subarray(offset, offset + length);
      const part = await fetched(url, { Range: `bytes=${offset}-${offset + length - 1}` });
      const bytes = new Uint8Array(await part.arrayBuffer());
      if (bytes.length !== length) throw failed(url, `${bytes.length} bytes of ${length}`);
      return bytes;
    },
  };
}

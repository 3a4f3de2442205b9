// A static server with strict headers: pages that run here run under a strict Content-Security-Policy.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";

export const contentSecurityPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** Names with a digest of the content: such files never change. */
const hashed = /\/assets\/[^/]+-[\w-]{8}\.\w+$/;

/** Returns the file for a URL, or undefined. Folders return index.html; files outside `folder` are not served. */
function fileFor(folder, url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return undefined;
  }
  let file = normalize(join(folder, path));
  if (path.includes("\0") || !(file + sep).startsWith(normalize(folder + sep))) return undefined;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory()) file = join(file, "index.html");
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

/** Returns a page with a message. It reloads itself. */
const waitingPage = (text) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta http-equiv="refresh" content="3" />
  <title>posenc</title>
  <p>${text}</p>
</html>
`;

/**
 * Serves a folder, or the first of several that has a file. Resolves to { url, close } once it listens. Port 0: any
 * free port; an empty policy: no policy. `waiting` returns a message for paths that do not exist yet.
 */
export function serve(folder, port = 0, policy = contentSecurityPolicy, waiting = () => undefined) {
  const server = createServer((request, response) => {
    const url = request.url ?? "/";
    const headers = {
      ...(policy && { "Content-Security-Policy": policy }),
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-cache",
    };
    const send = (status, type, text) => response.writeHead(status, { ...headers, "Content-Type": type }).end(text);
    let file;
    for (const one of [folder].flat()) file ??= fileFor(one, url);
    if (!file) {
      const text = waiting(url);
      if (text === undefined) send(404, types[".txt"], "not found\n");
      else send(503, types[".html"], waitingPage(text));
      return;
    }
    if (hashed.test(url)) headers["Cache-Control"] = "max-age=31536000, immutable";
    response.writeHead(200, { ...headers, "Content-Type": types[extname(file)] ?? "application/octet-stream" });
    if (request.method === "HEAD") response.end();
    else createReadStream(file).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(port, () =>
      resolve({ url: `http://localhost:${server.address().port}/`, close: () => server.close() }),
    );
  });
}

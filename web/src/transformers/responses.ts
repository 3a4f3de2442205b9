// Responses of a cache.

/** Returns a response with the file. `read` is called when its `body` or `arrayBuffer()` is requested. */
export function responseOf(file: Blob, read = (): void => {}): Response {
  const response = new Response(file, { headers: { "content-length": `${file.size}`, "content-type": file.type } });
  const { body } = response;
  return Object.defineProperties(response, {
    body: { get: () => (read(), body) },
    arrayBuffer: { value: () => (read(), file.arrayBuffer()) },
  });
}

/** Returns a response that cannot be read. For transformers.js, a `match` that throws means a missing file. */
export function unreadable(error: unknown): Response {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(error);
    },
  });
  return Object.defineProperty(new Response(body), "arrayBuffer", { value: () => Promise.reject(error) });
}

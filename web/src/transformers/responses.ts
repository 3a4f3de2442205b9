// Answers of a cache.

/** The file, and a word when it is read: a `body` or an `arrayBuffer()` is asked for. */
export function responseOf(file: Blob, read = (): void => {}): Response {
  const response = new Response(file, { headers: { "content-length": `${file.size}`, "content-type": file.type } });
  const { body } = response;
  return Object.defineProperties(response, {
    body: { get: () => (read(), body) },
    arrayBuffer: { value: () => (read(), file.arrayBuffer()) },
  });
}

/** What cannot be read: for transformers.js a `match` that fails is a file that is not there. */
export function unreadable(error: unknown): Response {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(error);
    },
  });
  return Object.defineProperty(new Response(body), "arrayBuffer", { value: () => Promise.reject(error) });
}

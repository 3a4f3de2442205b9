// Weights are downloaded once and kept, so that what was read once can be read without a network.
const cacheName = "posenc-models";

/** The file at an address; `progress` is told how many of its bytes have come. */
export async function download(address: string, progress: (bytes: number) => void): Promise<ArrayBuffer> {
  const kept = await fromCache(address);
  if (kept) {
    progress(kept.byteLength);
    return kept;
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  const bytes = await readAll(response, progress);
  await keep(address, bytes);
  return bytes;
}

async function readAll(response: Response, progress: (bytes: number) => void): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let count = 0;
  const reader = response.body!.getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    parts.push(step.value);
    count += step.value.length;
    progress(count);
  }
  return new Blob(parts).arrayBuffer();
}

async function fromCache(address: string): Promise<ArrayBuffer | undefined> {
  // Pages without a secure connection have no caches.
  if (typeof caches === "undefined") return undefined;
  return (await (await caches.open(cacheName)).match(address))?.arrayBuffer();
}

async function keep(address: string, bytes: ArrayBuffer): Promise<void> {
  if (typeof caches === "undefined") return;
  try {
    await (await caches.open(cacheName)).put(address, new Response(bytes));
  } catch {
    // A full disk costs a second download, nothing else.
  }
}

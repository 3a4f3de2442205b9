// Keeps the tutorial on the reader's machine. The build puts in the version and the files.
const version = "VERSION";
const files = ["FILES"];
const prefix = "posenc-tutorial-";
const scope = new URL(self.registration.scope);

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(prefix + version);
    await cache.addAll(files.map((file) => new Request(new URL(file, scope), { cache: "no-cache" })));
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const forgetOlder = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(prefix) && name !== prefix + version);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(forgetOlder());
});

/** Pages come from the network while there is one, so that a new version shows at once; files are named by content. */
async function answer(request) {
  const cache = await caches.open(prefix + version);
  const url = new URL(request.url);
  if (url.pathname.endsWith("/")) url.pathname += "index.html";
  url.hash = url.search = "";
  const kept = () => cache.match(url);
  if (request.mode !== "navigate") return (await kept()) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (error) {
    const page = await kept();
    if (page) return page;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(scope.href)) event.respondWith(answer(request));
});

// `env` of transformers.js in a page that was never loaded: a server, and a cache that shows what it holds.

const hub = "https://hub.test/";
/** `env` as in a page whose server is `files`; `asked` has what was fetched. */
export function pageWith(files: Record<string, unknown>, more: object = {}) {
  const asked: string[] = [];
  const held = new Map<string, Response>();
  const cache = {
    match: async (key: string) => held.get(key)?.clone(),
    put: async (key: string, response: Response) => void held.set(key, response),
    delete: async (key: string) => held.delete(key),
  };
  const fetch = async (address: string) => {
    asked.push(address);
    const content = files[address];
    if (typeof content === "number") return new Response("", { status: content });
    if (content instanceof Uint8Array) return new Response(content as Uint8Array<ArrayBuffer>);
    return content === undefined ? new Response("", { status: 404 }) : Response.json(content);
  };
  const env = {
    ...{ useCustomCache: true, customCache: cache as any, useBrowserCache: false, useFSCache: false, cacheDir: null },
    ...{ useFS: false, allowLocalModels: false, localModelPath: "/models/", allowRemoteModels: true },
    ...{ remoteHost: hub, remotePathTemplate: "{model}/resolve/{revision}/", fetch },
    ...more,
  };
  const match = async (key: string): Promise<any> => (await env.customCache.match(key))?.json();
  return { env, cache, held, asked, match };
}
export const at = (file: string, model = "org/model", revision = "main") =>
  `${hub}${model}/resolve/${revision}/${file}`;

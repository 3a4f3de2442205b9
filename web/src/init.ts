// Makes the `init` of every entry point.
import { kindOf } from "./base/arrays.js";
import type { InitOptions, Source } from "./base/types.js";
import type { Core } from "./wasm/core.js";
import { failed, load, readRequest, remedy, type BuiltIn, type Threads } from "./wasm/loader.js";

/** Creates the `init` of an entry point. Equal requests return the same instance; a failed request can be repeated. */
export function makeInit<Library>(
  builtIn: BuiltIn,
  Library: new (core: Core) => Library,
  together?: Threads,
): (source?: Source | InitOptions) => Promise<Library> {
  type Loading = Promise<Library>;
  const byName = new Map<unknown, Loading>();
  const byObject = new WeakMap<object, Loading>();
  return async (argument) => {
    const request = readRequest(argument);
    const { source, variant, threads } = request;
    const isObject = typeof source === "object" && source !== null && kindOf(source) !== "URL";
    const known: Pick<Map<unknown, Loading>, "get" | "set" | "delete"> = isObject
      ? (byObject as WeakMap<object, Loading> as never)
      : byName;
    const key = isObject ? source : `${variant} ${threads} ${String(source)}`;
    const running = known.get(key);
    if (running) return running;
    const forget = (): unknown => known.get(key) === loading && known.delete(key);
    const loading = load(request, builtIn, together).then((core) => {
      core.onStop = forget;
      return new Library(core);
    });
    known.set(key, loading);
    loading.catch(forget);
    return loading;
  };
}

/** Returns the address of a file next to this one. Throws `load-failed` if a bundler left no address to resolve it against. */
export function located(address: () => URL): URL {
  try {
    return address();
  } catch (cause) {
    throw failed(`source: cannot locate the .wasm files of this bundle (${String(cause)}); ${remedy}`, cause);
  }
}

// Makes the `init` of every entry point.
import { kindOf } from "./base/arrays.js";
import type { InitOptions, Source } from "./base/types.js";
import { Posenc } from "./posenc.js";
import { failed, remedy } from "./wasm/download.js";
import { load, readRequest, type BuiltIn } from "./wasm/loader.js";

/**
 * Creates the `init` of an entry point. Requests that differ at most in their parts return the same instance; a failed
 * request can be repeated.
 */
export function makeInit(builtIn: BuiltIn): (source?: Source | InitOptions) => Promise<Posenc> {
  type Loading = Promise<Posenc>;
  const byName = new Map<unknown, Loading>();
  const byObject = new WeakMap<object, Loading>();
  return async (argument) => {
    const request = readRequest(argument);
    const { source, variant, threads, parts } = request;
    const isObject = typeof source === "object" && source !== null && kindOf(source) !== "URL";
    const known: Pick<Map<unknown, Loading>, "get" | "set" | "delete"> = isObject
      ? (byObject as WeakMap<object, Loading> as never)
      : byName;
    const key = isObject ? source : `${variant} ${threads} ${String(source)}`;
    const begin = (): Loading => {
      const forget = (): unknown => known.get(key) === loading && known.delete(key);
      const loading = load(request, builtIn).then((core) => {
        core.onStop = forget;
        return new Posenc(core);
      });
      known.set(key, loading);
      loading.catch(forget);
      return loading;
    };
    const library = await (known.get(key) ?? begin());
    await library.core.load(parts);
    return library;
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

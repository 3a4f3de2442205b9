// What Node, Deno and Bun bring along. Asked for at run time: an import would trip bundlers for the web.

/** Those of their modules that are of use here. */
interface BuiltInModules {
  "node:fs": { readFileSync(address: URL): Uint8Array };
  "node:zlib": { gunzipSync(bytes: Uint8Array): Uint8Array };
}
interface Process {
  getBuiltinModule?<Name extends keyof BuiltInModules>(name: Name): BuiltInModules[Name] | undefined;
}

/** A module of the engine's own, at once; undefined where it has none. */
export const builtInModule = <Name extends keyof BuiltInModules>(name: Name): BuiltInModules[Name] | undefined =>
  (globalThis as { process?: Process }).process?.getBuiltinModule?.(name);

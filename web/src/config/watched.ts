// A config that remembers which of its fields were read: the others had no effect.
import type { Json } from "../base/json.js";

export interface Watched {
  /** A proxy of the config. Copies of it (`{ ...json }`) count as reading all fields. */
  readonly json: Json;
  /** Returns the names of the fields that have a value and were not read so far. */
  unread(): string[];
}

export function watch(config: Json): Watched {
  const read = new Set<string | symbol>();
  const json = new Proxy(config, {
    get(target, name): unknown {
      read.add(name);
      return Reflect.get(target, name);
    },
  });
  const isUnread = (name: string): boolean => !read.has(name) && (config[name] ?? undefined) !== undefined;
  return { json, unread: () => Object.keys(config).filter(isUnread) };
}

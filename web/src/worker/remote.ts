// Objects of the page that refer to objects in the worker.
import { inspected } from "../base/inspected.js";
import { hide } from "../base/printing.js";
import type { Shape } from "./messages.js";

/** What an object asks of its worker. */
export interface Home {
  request(remote: Remote, type: "call" | "get" | "assign", name: string, args: readonly unknown[]): Promise<unknown>;
}

/** An object in a worker. Its methods and properties return promises. */
export class Remote {
  /** @internal */
  declare readonly home: Home;
  /** @internal */
  declare readonly number: number;

  /** @internal */
  constructor(home: Home, number: number) {
    hide(this, "home", home);
    hide(this, "number", number);
  }

  /**
   * Assigns a property, such as `encoding` of a cache. The `data` of a tensor are copied into it.
   *
   * @param name Name of the property.
   * @param value Its new value.
   */
  async assign(name: string, value: unknown): Promise<void> {
    await this.home.request(this, "assign", name, [value]);
  }

  /** Returns the text that consoles show. */
  toString(): string {
    return `${this.constructor.name} (in a worker)`;
  }

  /** @internal */
  [inspected](): string {
    return this.toString();
  }
}

export type RemoteClass = new (home: Home, number: number) => Remote;

/** Creates the class of remote objects whose class in the worker has these members. */
export function remoteClass({ name, methods, properties }: Shape): RemoteClass {
  const Class = class extends Remote {};
  const { prototype } = Class;
  const define = (key: string | symbol, how: PropertyDescriptor): void =>
    void Object.defineProperty(prototype, key, { configurable: true, ...how });
  for (const property of properties)
    define(property, {
      get(this: Remote) {
        return this.home.request(this, "get", property, []);
      },
    });
  for (const method of methods)
    define(method, {
      value(this: Remote, ...args: unknown[]) {
        return this.home.request(this, "call", method, args);
      },
    });
  if (methods.includes("dispose"))
    define(Symbol.dispose, {
      value(this: Remote) {
        // Its error, if the worker has ended, is of no use here.
        this.home.request(this, "call", "dispose", []).catch(() => {});
      },
    });
  define(Symbol.toStringTag, { value: name });
  Object.defineProperty(Class, "name", { value: name });
  return Class;
}

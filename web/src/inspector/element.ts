// The custom element: attributes, properties and events. `Panel` does the work.
import { Panel } from "./panel.js";
import type { InspectorTools } from "./tools.js";
import type { InspectOptions, InspectorSource, PosencInspector, PosencInspectorConstructor } from "./types.js";

/** Marks the class, also for another copy of this module. */
const mark = Symbol.for("posenc.inspector");

export const isInspectorClass = (value: CustomElementConstructor): value is PosencInspectorConstructor => mark in value;

/** Properties that a program may have set before the element was defined. */
const settable = ["src", "config", "file", "library"] as const;

/** Returns a new class: HTMLElement exists only in browsers, and a class can have only one name. */
export const elementClass = (tools: InspectorTools): PosencInspectorConstructor =>
  class extends HTMLElement implements PosencInspector {
    static readonly observedAttributes = ["src", "config", "lang"];
    static readonly [mark] = true;
    readonly #panel = new Panel(this, tools);

    connectedCallback(): void {
      const own = this as unknown as Record<string, unknown>;
      for (const name of settable) {
        if (!Object.hasOwn(own, name)) continue;
        const value = own[name];
        delete own[name];
        own[name] = value;
      }
      this.#panel.connected();
    }
    disconnectedCallback(): void {
      // A moved element is connected again at once.
      queueMicrotask(() => this.isConnected || this.#panel.stop());
    }
    attributeChangedCallback(name: string, before: string | null, after: string | null): void {
      if (name === "lang") this.#panel.translate();
      else if (before !== after) this.#panel.given();
    }
    get src() {
      return this.getAttribute("src") ?? "";
    }
    set src(value: string) {
      this.setAttribute("src", value);
    }
    get config() {
      return this.getAttribute("config") ?? "";
    }
    set config(value: string) {
      this.setAttribute("config", value);
    }
    get file() {
      return this.#panel.file;
    }
    set file(value: PosencInspector["file"]) {
      this.#panel.file = value ?? undefined;
      this.#panel.given();
    }
    get library() {
      return this.#panel.library;
    }
    set library(value: PosencInspector["library"]) {
      this.#panel.library = value ?? undefined;
    }
    get state() {
      return this.#panel.state;
    }
    get report() {
      return this.#panel.report;
    }
    inspect(source: InspectorSource, options: InspectOptions = {}) {
      return this.#panel.inspect(source, options);
    }
  };

/**
 * A custom element that reads .onnx, .gguf and config.json files in the browser and shows their positional encodings.
 * @module posenc/inspector
 */
import { PosencError, invalid, show } from "./base/errors.js";
import { elementClass, isInspectorClass } from "./inspector/element.js";
import type { InspectorTools } from "./inspector/tools.js";
import type { PosencInspector, PosencInspectorConstructor } from "./inspector/types.js";

export type * from "./inspector/types.js";
export type { InspectorReport, ConfigReport, LayerGroup } from "./inspector/report.js";
export type { InspectorLibrary } from "./inspector/tools.js";
export type { OnnxReport, GgufReport } from "./cli/report.js";
export type { Progress } from "./base/work.js";
export { PosencError, type ErrorCode } from "./base/errors.js";

declare global {
  interface HTMLElementTagNameMap {
    "posenc-inspector": PosencInspector;
  }
}

let library: ReturnType<InspectorTools["library"]> | undefined;

/** The other entries, each of which loads when a file needs it. All inspectors share one instance of the library. */
const tools: InspectorTools = {
  openModel: async (...given) => (await import("./onnx.js")).openModel(...given),
  library: () => {
    library ??= import("./index.js").then(({ init }) => init({ parts: ["config"] }));
    // Another attempt may succeed, such as after a lost connection.
    library.catch(() => (library = undefined));
    return library;
  },
};

function registered(registry: CustomElementRegistry, name: string): PosencInspectorConstructor {
  const inspector = elementClass(tools);
  try {
    registry.define(name, inspector);
  } catch (cause) {
    const rule = 'must be a name for custom elements, such as "posenc-inspector"';
    throw new PosencError("invalid-argument", `name: ${rule}, got ${show(name)}`, "name", { cause });
  }
  return inspector;
}

/**
 * Registers the element `<posenc-inspector>`. Importing this module does nothing by itself.
 *
 * A second call with the same name returns the registered class. Elements that are already in the page are upgraded.
 * @param name Name of the element, with a hyphen. Default "posenc-inspector".
 * @returns The class of the element.
 * @throws {PosencError} `unsupported` outside of browsers, which have custom elements; `invalid-argument` if the name is
 * invalid or belongs to another element.
 * @example
 * defineInspector();
 * document.querySelector("posenc-inspector").addEventListener("inspected", ({ detail }) => console.log(detail.findings));
 */
export function defineInspector(name = "posenc-inspector"): PosencInspectorConstructor {
  const registry = globalThis.customElements as CustomElementRegistry | undefined;
  if (!registry)
    throw new PosencError(
      "unsupported",
      "defineInspector: customElements is missing; call it only in a browser, not while a server renders the page",
    );
  const known = registry.get(name);
  if (!known) return registered(registry, name);
  if (isInspectorClass(known)) return known;
  throw invalid("name", `${show(name)} is already the name of another element`);
}

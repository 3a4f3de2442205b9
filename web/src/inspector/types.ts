// The element as programs use it.
import type { WorkOptions } from "../base/work.js";
import type { InspectorReport } from "./report.js";
import type { InspectorLibrary } from "./tools.js";

/** A model or config to inspect: an address, a file, or the files of a model. */
export type InspectorSource = string | URL | Blob | Iterable<Blob>;

/** State of the element. */
export type InspectorState = "empty" | "reading" | "result" | "failed" | "stopped";

/** Options of `inspect`. Progress is in bytes of the model's file. */
export interface InspectOptions extends WorkOptions {
  /** The config.json to compare an ONNX model with: its address, its file, or its object. Default: the one among the files. */
  config?: string | URL | Blob | object;
}

/** The events of the element. */
export interface PosencInspectorEventMap {
  /** A file was read. `detail` is the report. */
  readonly inspected: CustomEvent<InspectorReport>;
  /** A file cannot be read. `detail` is the error, usually a `PosencError`. Stopped work has no event. */
  readonly failed: CustomEvent<Error>;
}

/** The element `<posenc-inspector>`. */
export interface PosencInspector extends HTMLElement {
  /** Address of an .onnx or .gguf file or a config.json; reflects the attribute. "": none. */
  src: string;
  /** Address of the config.json that an ONNX model is compared with; reflects the attribute. "": none. */
  config: string;
  /** A file, or the files of a model: the model, its config.json and its external data. It takes precedence over `src`. */
  file: Blob | Iterable<Blob> | undefined;
  /** An instance of posenc, or a function that starts one. Default: the element starts one that all inspectors share. */
  library: InspectorLibrary | (() => Promise<InspectorLibrary>) | undefined;
  /** State of the element. */
  readonly state: InspectorState;
  /** The shown report; undefined in other states than "result". */
  readonly report: InspectorReport | undefined;
  /**
   * Reads a file and shows the result. Work that is in progress is stopped.
   *
   * @param source An address, a file, or the files of a model.
   * @param options `signal`, `onProgress` and `config`.
   * @returns The report, plain data.
   * @throws {PosencError} `invalid-argument` if an argument is invalid or the files have several models; `load-failed` if a file
   * cannot be fetched or is damaged; `unsupported` if its format is unknown. A stopped call throws the signal's reason.
   */
  inspect(source: InspectorSource, options?: InspectOptions): Promise<InspectorReport>;
  /**
   * Registers a listener, as any element does.
   *
   * @param type "inspected", "failed", or the name of another event.
   * @param listener Receives the event.
   * @param options As for other elements.
   * @throws {PosencError} Never.
   */
  addEventListener<Name extends keyof PosencInspectorEventMap>(
    type: Name,
    listener: (event: PosencInspectorEventMap[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** The class of the element, as `defineInspector` returns it. */
export type PosencInspectorConstructor = new () => PosencInspector;

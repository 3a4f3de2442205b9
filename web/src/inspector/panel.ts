// The states of the element: empty, reading, result, failed, stopped.
import { PosencError } from "../base/errors.js";
import { checkWork, type Progress } from "../base/work.js";
import { fill, isChinese } from "./dom.js";
import { Shell } from "./shell.js";
import { shellText } from "./shell-text.js";
import type { InspectorReport } from "./report.js";
import type { InspectorTools } from "./tools.js";
import type { InspectOptions, InspectorSource, InspectorState, PosencInspector } from "./types.js";

type Reader = typeof import("./reader.js");

const isList = (source: unknown): source is Iterable<unknown> =>
  typeof source === "object" && source !== null && Symbol.iterator in source;

/** Returns the name of a file for messages; "": it has none. */
function nameOf(source: unknown): string {
  if (typeof source === "string" || source instanceof URL)
    return /^(?!data:|blob:)(?:[^?#]*\/)?([^/?#]*)/.exec(String(source))?.[1] ?? "";
  if (source instanceof Blob) return (source as Partial<File>).name ?? "";
  if (!isList(source)) return "";
  const names = Array.from(source, nameOf);
  return names.find((name) => /\.(onnx|gguf)$/i.test(name)) ?? names[0] ?? "";
}

/** Rejects at once when a signal aborts: a library that is loading does not delay the end. */
const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });

export class Panel {
  state: InspectorState = "empty";
  report: InspectorReport | undefined;
  file: PosencInspector["file"];
  library: PosencInspector["library"];
  private readonly shell: Shell;
  private reader: Reader | undefined;
  private work: AbortController | undefined;
  private isScheduled = false;
  private name = "";
  private message = "";
  /** Files that the user chose. */
  private chosen: readonly File[] = [];

  constructor(
    private readonly host: HTMLElement & Pick<PosencInspector, "src" | "config">,
    private readonly tools: InspectorTools,
  ) {
    this.shell = new Shell(host.attachShadow({ mode: "open" }), {
      take: (files) => {
        this.chosen = files;
        this.begin();
      },
      fail: (error) => {
        this.stop();
        this.work = undefined;
        this.chosen = [];
        this.name = "";
        this.fail(error, false);
      },
      stop: () => this.stop(),
      again: () => this.begin(),
    });
    this.show();
  }

  private get source(): InspectorSource | undefined {
    return this.file ?? (this.host.src || (this.chosen.length > 0 ? this.chosen : undefined));
  }
  connected(): void {
    this.translate();
    if (this.state !== "result" && this.state !== "reading") this.given();
  }
  /** Reads `file` or `src`, once for all changes of a task. */
  given(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      if (!this.host.isConnected) return;
      if (this.source !== undefined) this.begin();
      else if (this.state !== "empty") this.reset();
    });
  }
  private begin(): void {
    const { config } = this.host;
    // Listeners of `failed` receive the error.
    if (this.source !== undefined) this.inspect(this.source, config ? { config } : {}).catch(() => undefined);
  }
  private reset(): void {
    this.stop();
    this.become("empty");
  }
  stop(): void {
    this.work?.abort();
  }
  /** Shows the texts in the language of the element. */
  translate(): void {
    this.show();
    if (this.report) this.showReport(this.report);
  }

  async inspect(given: InspectorSource, options: InspectOptions): Promise<InspectorReport> {
    checkWork(options);
    // A list may be an iterator, which can be read only once.
    const source = isList(given) ? Array.from(given as Iterable<Blob>) : given;
    const { signal, onProgress, config } = options;
    this.stop();
    const work = (this.work = new AbortController());
    const follow = (): void => work.abort(signal!.reason);
    signal?.addEventListener("abort", follow);
    if (signal?.aborted) follow();
    try {
      this.name = nameOf(source);
      this.become("reading");
      this.reader ??= await import("./reader.js");
      const progress = (one: Progress): void => {
        if (this.work === work) this.shell.progress(one);
        onProgress?.(one);
      };
      const tools = { ...this.tools, library: () => this.startLibrary() };
      const reading = this.reader.read(source, config, tools, { signal: work.signal, onProgress: progress });
      const report = await Promise.race([reading, abortOf(work.signal)]);
      this.succeed(report);
      return report;
    } catch (error) {
      if (this.work === work) this.fail(error as Error, work.signal.aborted);
      throw work.signal.aborted ? work.signal.reason : error;
    } finally {
      signal?.removeEventListener("abort", follow);
      if (this.work === work) this.work = undefined;
    }
  }
  private startLibrary(): ReturnType<InspectorTools["library"]> {
    const { library } = this;
    if (library === undefined) return this.tools.library();
    return typeof library === "function" ? library() : Promise.resolve(library);
  }
  private succeed(report: InspectorReport): void {
    this.become("result", report);
    this.showReport(report);
    this.host.dispatchEvent(new CustomEvent("inspected", { detail: report, bubbles: true, composed: true }));
  }
  private fail(error: Error, isStopped: boolean): void {
    this.message = error instanceof PosencError ? error.message.replace(/^source: /, "") : String(error);
    this.become(isStopped ? "stopped" : "failed");
    if (!isStopped)
      this.host.dispatchEvent(new CustomEvent("failed", { detail: error, bubbles: true, composed: true }));
  }
  private become(state: InspectorState, report?: InspectorReport): void {
    this.state = state;
    this.report = report;
    this.shell.result.replaceChildren();
    this.show();
  }
  private show(): void {
    const chinese = isChinese(this.host);
    const text = shellText(chinese);
    const name = this.name || text.aFile;
    const { state, message } = this;
    const statuses = {
      empty: "",
      reading: text.reading,
      result: text.finished,
      failed: text.failed,
      stopped: text.stopped,
    };
    this.shell.show(text, {
      language: chinese ? "zh-CN" : "en",
      state,
      status: fill(statuses[state], { name }),
      label: fill(text.result, { name }),
      error: state === "failed" ? message : "",
      takesFiles: this.file === undefined && this.host.src === "",
      canRepeat: /stopped|failed/.test(state) && this.source !== undefined,
    });
  }
  private showReport(report: InspectorReport): void {
    this.shell.result.replaceChildren(...this.reader!.reportNodes(report, isChinese(this.host)));
  }
}

// The parts of the element around the result: drop area, status, progress, error.
import { sizeInWords } from "../cli/words.js";
import type { Progress } from "../base/work.js";
import { make } from "./dom.js";
import { droppedFiles } from "./dropped.js";
import type { ShellText } from "./shell-text.js";
import { adoptStyle } from "./style.js";
import type { InspectorState } from "./types.js";

interface Actions {
  take(files: readonly File[]): void;
  fail(error: Error): void;
  stop(): void;
  again(): void;
}

interface View {
  readonly language: string;
  readonly state: InspectorState;
  readonly status: string;
  readonly label: string;
  readonly error: string;
  readonly takesFiles: boolean;
  readonly canRepeat: boolean;
}

const button = (name: string): HTMLButtonElement => make("button", { type: "button", part: name, class: name });

export class Shell {
  readonly result = make("section", { part: "result", class: "result" });
  private readonly choose = button("choose");
  private readonly stop = button("stop");
  private readonly again = button("again");
  private readonly input = make("input", { type: "file", multiple: true, hidden: true });
  private readonly hint = make("p", { part: "hint" });
  private readonly privacy = make("p");
  private readonly drop = make("div", { part: "drop", class: "drop" });
  private readonly status = make("p", { role: "status", part: "status", class: "status" });
  private readonly bar = make("progress", { part: "progress" });
  private readonly amount = make("span", { class: "soft" });
  private readonly work = make("div", { class: "work" });
  private readonly error = make("p", { role: "alert", part: "error", class: "error" });
  private readonly panel = make("div", { part: "panel" });

  constructor(
    private readonly root: ShadowRoot,
    private readonly actions: Actions,
  ) {
    adoptStyle(root);
    this.drop.append(this.choose, this.input, this.hint, this.privacy);
    this.work.append(this.bar, this.amount, this.stop);
    this.panel.append(this.drop, this.status, this.work, this.error, this.again, this.result);
    root.append(this.panel);
    this.stop.onclick = () => actions.stop();
    this.again.onclick = () => actions.again();
    this.choose.onclick = () => this.input.click();
    this.input.onchange = () => {
      this.take(Array.from(this.input.files ?? []));
      // The same file can be chosen again.
      this.input.value = "";
    };
    this.takeDrops();
  }

  private take(files: readonly File[]): void {
    if (files.length > 0) this.actions.take(files);
  }
  private takeDrops(): void {
    const { drop } = this;
    const mark = (isOver: boolean) => (event: DragEvent) => {
      event.preventDefault();
      drop.classList.toggle("over", isOver);
    };
    drop.ondragover = mark(true);
    drop.ondragleave = mark(false);
    drop.ondrop = (event) => {
      mark(false)(event);
      if (!event.dataTransfer) return;
      droppedFiles(event.dataTransfer).then(
        (files) => this.take(files),
        (error: Error) => this.actions.fail(error),
      );
    };
  }

  show(text: ShellText, view: View): void {
    const { language, state, status, label, error, takesFiles, canRepeat } = view;
    const wasFocused = this.root.activeElement === this.stop;
    this.panel.lang = language;
    this.choose.textContent = text.choose;
    this.hint.textContent = text.hint;
    this.privacy.textContent = text.privacy;
    this.stop.textContent = text.stop;
    this.again.textContent = text.again;
    this.drop.hidden = !takesFiles;
    if (this.status.textContent !== status) this.status.textContent = status;
    // The result shows it; screen readers announce it.
    this.status.classList.toggle("unseen", state === "result");
    this.work.hidden = state !== "reading";
    this.bar.ariaLabel = status;
    if (state !== "reading") this.progress(undefined);
    this.error.hidden = error === "";
    this.error.replaceChildren(make("span", { lang: "en" }, error));
    this.again.hidden = !canRepeat;
    this.result.hidden = state !== "result";
    this.result.ariaLabel = label;
    if (wasFocused && state !== "reading") (canRepeat ? this.again : this.choose).focus();
  }
  /** Shows the progress; undefined: it is not known. */
  progress(progress: Progress | undefined): void {
    if (progress) this.bar.value = progress.done / Math.max(1, progress.total);
    else this.bar.removeAttribute("value");
    this.amount.textContent = progress ? `${sizeInWords(progress.done)} / ${sizeInWords(progress.total)}` : "";
  }
}

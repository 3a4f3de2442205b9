// <posenc-inspector> in a page, for its tests.
import { defineInspector, type PosencInspector } from "posenc/inspector";
import { fixtureBytes } from "./onnx-models";

/** Whether there are custom elements: not in Node, nor in workers. */
export const isBrowser = typeof customElements !== "undefined";

const shown: PosencInspector[] = [];
/** The element that the functions here are about. */
export let element: PosencInspector;
/** The events of all elements since the last `freshElement`. */
export const events: string[] = [];

/** Makes an element the one that the functions here are about. */
export function use(other: PosencInspector): void {
  element = other;
  shown.push(other);
}
export function newElement(): PosencInspector {
  const made = document.createElement("posenc-inspector");
  made.addEventListener("inspected", ({ detail }) => events.push(`inspected ${detail.file}`));
  made.addEventListener("failed", ({ detail }) => events.push(`failed ${detail.message}`));
  return made;
}
export const removeAll = (): void => shown.splice(0).forEach((one) => one.remove());

/** Puts a new element into the page, without those of earlier tests. */
export function freshElement(): void {
  removeAll();
  defineInspector();
  events.length = 0;
  use(newElement());
  document.body.append(element);
}

export const part = (name: string): HTMLElement => element.shadowRoot!.querySelector<HTMLElement>(`[part~="${name}"]`)!;
export const textOf = (name: string): string => part(name).textContent!;
export const isShown = (name: string): boolean => part(name).getClientRects().length > 0;

/** Waits until the element has this state. */
export async function until(state: PosencInspector["state"]): Promise<void> {
  for (let i = 0; element.state !== state; i++) {
    if (i > 2000) throw new Error(`the state is ${element.state}, not ${state}: ${textOf("error")}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export const modelFile = async (name: string, as = "model.onnx"): Promise<File> =>
  new File([await fixtureBytes(name)], as);
export const jsonFile = (json: unknown, name = "config.json"): File => new File([JSON.stringify(json)], name);
export const llama = (): Promise<File> => modelFile("llama/model.onnx");

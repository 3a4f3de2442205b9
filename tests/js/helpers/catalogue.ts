// What is known about each kind: the values its definition gives (tests/fixtures/paper-values), and which golden cases
// that pass made an encoding of it.
import type { Encoding } from "posenc";
import { runCase } from "../../golden/cases.mjs";
import { goldenCases } from "./fixtures";
import { loosely, pe } from "./library";

export interface PaperCase {
  spec: object;
  /** What is asked of the encoding: a method with its argument, or a property; `part` of what it answers, such as "cos". */
  call: string;
  options?: object;
  part?: string;
  /** Of an array its length. */
  dims: number[];
  values: number[];
  tolerance: number;
}

export interface PaperValues {
  kind: string;
  source: string;
  cases: PaperCase[];
}

const files = import.meta.glob<PaperValues>("../../fixtures/paper-values/*.json", { eager: true, import: "default" });

/** One entry for each file. */
export const paperValues: PaperValues[] = Object.entries(files).map(([path, values]) => {
  if (!path.endsWith(`/${values.kind}.json`)) throw new Error(`${path} must be named by its kind, ${values.kind}`);
  return values;
});

/** The library, telling `made` of each encoding that it makes. */
function watched(made: (kind: string) => void): typeof pe {
  const makers = new Set<unknown>(["create", "fromConfig"]);
  return new Proxy(pe, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        const result: unknown = member.apply(target, given);
        if (makers.has(name)) made((result as Encoding).kind);
        return result;
      };
    },
  });
}

/** The names of the passing golden cases that used a kind, by kind. */
export function goldenCasesByKind(): Map<string, string[]> {
  const byKind = new Map<string, string[]>();
  for (const [name, json] of goldenCases) {
    const used = new Set<string>();
    const { status } = runCase(loosely(watched((kind) => used.add(kind))), json, name);
    if (status === "pass") for (const kind of used) byKind.set(kind, [...(byKind.get(kind) ?? []), name]);
  }
  return byKind;
}

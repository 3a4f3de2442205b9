// Formats the files that rewrite writes.
import type { ChangedComponent, Elsewhere } from "./explain.js";
import { jsonLines } from "./inspect.js";
import { sizeInWords } from "./words.js";
import type { Plan } from "./write.js";

/** Lists the files; `verb`: "writes", or "would write" for a rewrite that is only explained. */
export const planInLines = (plans: readonly Plan[], verb = "writes"): string[] => [
  `${verb} ${plans.length} ${plans.length === 1 ? "file" : "files"}:`,
  ...plans.map(
    ({ path, size, copyOf }) => `  ${path} (${sizeInWords(size)})${copyOf ? `, a copy of ${copyOf.path}` : ""}`,
  ),
];

/** Returns the files as JSON, and the explanation if it was asked for. */
export const planInJson = (
  plans: readonly Plan[],
  posenc: string,
  components?: ReadonlyMap<string, readonly ChangedComponent[]>,
  same?: Elsewhere,
): string[] =>
  jsonLines({
    posenc,
    files: plans.map(({ path, size, copyOf, changes }) => ({
      ...{ file: path, bytes: size },
      ...(copyOf && { copyOf: copyOf.path }),
      ...(changes && { changes }),
      ...(components?.has(path) && { components: components.get(path) }),
    })),
    ...(same && { elsewhere: same }),
  });

// The attention weights of the panels as tables.
import { methods, type Method, type Outcome } from "../../lib/attention.ts";
import { matrixTable, type DataTable } from "../../lib/data-table.ts";
import { fill } from "../../lib/i18n.ts";
import type { en } from "./text.en.ts";

export function outcomeTables(
  outcomes: Record<Method, Outcome>,
  words: string[],
  text: typeof en.swap.figure,
): DataTable[] {
  return methods.map((method) =>
    matrixTable({
      caption: fill(text.matrixLabel, { method: text.methods[method] }),
      data: outcomes[method].weights,
      rows: words.length,
      columns: words.length,
      rowName: text.queryName,
      columnName: text.keyName,
      rowHeads: words,
      columnHeads: words,
    }),
  );
}

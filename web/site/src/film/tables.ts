// The numbers that the film shows, as tables.
import type { DataTable } from "../lib/data-table.ts";
import type { Posenc } from "../lib/engine.svelte.ts";
import { compared, lengths, likeness, places, squeezed, turnedTo } from "./pictures.ts";
import type { FilmText } from "./text.en.ts";

export function tablesOf(pe: Posenc, { tables, picture }: FilmText): DataTable[] {
  const pairs = [0, places.shift].map((shift): [number, number] => [places.query + shift, places.key + shift]);
  return [
    {
      caption: tables.squeezed,
      columns: [tables.length, "1 / (n − 1)"],
      rows: lengths.map((length) => ({ head: String(length), cells: [squeezed(pe, length)[1]] })),
    },
    {
      caption: tables.likeness,
      columns: [picture.positions, tables.with],
      rows: compared.slice(1).map((position) => ({
        head: `${compared[0]} · ${position}`,
        cells: [likeness(pe, compared[0], position)],
      })),
    },
    {
      caption: tables.turned,
      columns: [picture.positions, picture.angle, picture.score],
      rows: pairs.map((positions) => {
        const { angle, score } = turnedTo(pe, positions);
        return { head: positions.join(" → "), cells: [angle, score] };
      }),
    },
  ];
}

// The numbers behind a figure, for its data-table view.

export interface DataTable {
  caption: string;
  /** The heads of the columns; the first one is above the heads of the rows. */
  columns: string[];
  rows: { head: string; cells: (number | string)[] }[];
  /** How much of a large table is left out, [shown, of all]. */
  clipped?: { rows: [number, number]; columns: [number, number] };
}

const most = { rows: 64, columns: 16 };

interface MatrixOptions {
  caption: string;
  data: ArrayLike<number>;
  rows: number;
  columns: number;
  rowName: string;
  columnName: string;
  /** Instead of numbers from 0. */
  rowHeads?: ArrayLike<string | number>;
  columnHeads?: ArrayLike<string | number>;
}

/** A matrix, row by row; of a large one the first 64 rows and 16 columns. */
export function matrixTable(options: MatrixOptions): DataTable {
  const { caption, data, rowName, columnName, rowHeads, columnHeads } = options;
  const rows = Math.min(options.rows, most.rows);
  const columns = Math.min(options.columns, most.columns);
  const whole = rows === options.rows && columns === options.columns;
  return {
    caption,
    columns: [
      `${rowName} \\ ${columnName}`,
      ...Array.from({ length: columns }, (_, column) => String(columnHeads?.[column] ?? column)),
    ],
    rows: Array.from({ length: rows }, (_, row) => ({
      head: String(rowHeads?.[row] ?? row),
      cells: Array.from({ length: columns }, (_, column) => data[row * options.columns + column]),
    })),
    ...(!whole && { clipped: { rows: [rows, options.rows], columns: [columns, options.columns] } }),
  };
}

interface SeriesOptions {
  caption: string;
  xName: string;
  /** What stands at each row; by default 0, 1, 2 … */
  xs?: ArrayLike<number | string>;
  series: { name: string; values: ArrayLike<number> }[];
}

/** Several series over the same places, one column each. Long ones are thinned out evenly. */
export function seriesTable({ caption, xName, xs, series }: SeriesOptions): DataTable {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  const step = Math.max(1, Math.ceil(length / most.rows));
  const places = Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step);
  return {
    caption,
    columns: [xName, ...series.map(({ name }) => name)],
    rows: places.map((place) => ({
      head: String(xs?.[place] ?? place),
      cells: series.map(({ values }) => values[place] ?? ""),
    })),
    ...(step > 1 && {
      clipped: { rows: [places.length, length], columns: [series.length, series.length] } as DataTable["clipped"],
    }),
  };
}

/** The table with a word where there is no number. */
export const filled = (table: DataTable, word: string): DataTable => ({
  ...table,
  rows: table.rows.map(({ head, cells }) => ({
    head,
    cells: cells.map((cell) => (typeof cell === "number" && Number.isNaN(cell) ? word : cell)),
  })),
});

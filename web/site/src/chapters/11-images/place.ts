// Places in a grid of patches, and how keys and pointers move through it.

export interface Place {
  row: number;
  column: number;
}

export interface Size {
  rows: number;
  columns: number;
}

const clamp = (value: number, size: number) => Math.max(0, Math.min(size - 1, value));

export const inside = ({ row, column }: Place, { rows, columns }: Size): Place => ({
  row: clamp(row, rows),
  column: clamp(column, columns),
});

export const indexOf = ({ row, column }: Place, { columns }: Size): number => row * columns + column;

const steps: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -Infinity],
  End: [0, Infinity],
};

/** Where an arrow key leads from a place; undefined for other keys. */
export function moved(place: Place, key: string, size: Size): Place | undefined {
  const step = steps[key];
  return step && inside({ row: place.row + step[0], column: place.column + step[1] }, size);
}

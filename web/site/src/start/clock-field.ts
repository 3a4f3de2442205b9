// The field of clocks: a row for each position, from its fastest clock to its slowest. The hands are the library's sines and cosines.
import { colourOf } from "../lib/colour.ts";
import { dots } from "../lib/dots.ts";
import { withEncoding, type Posenc } from "../lib/engine.svelte.ts";

/** A small base: the slowest clocks can be seen to turn, too. */
export const base = 40;

export interface Layout {
  columns: number;
  rows: number;
  /** Room at the left for the numbers of the positions, and at the right for a margin: clocks do not touch the edge. */
  gutter: number;
  margin: number;
  cell: number;
  rowHeight: number;
  width: number;
  height: number;
}

export function layoutOf(width: number, height: number): Layout {
  const wide = width > 640;
  const gutter = wide ? 52 : 34;
  const margin = wide ? 16 : 10;
  const room = width - gutter - margin;
  const columns = Math.max(4, Math.min(48, Math.round(room / (wide ? 40 : 30))));
  // Before the page has been laid out there is hardly a width.
  const cell = Math.max(1, room / columns);
  const rows = Math.max(3, Math.min(24, Math.round(height / cell)));
  return { columns, rows, gutter, margin, cell, rowHeight: height / rows, width, height };
}

/** Sine and cosine of each clock at each position, [positions, 2 · columns]. */
export function clocksAt(pe: Posenc, columns: number, positions: number[]): Float32Array {
  return withEncoding(pe.create({ kind: "sinusoidal", dim: 2 * columns, base }), (clocks) => {
    return clocks.table({ positions }).data;
  });
}

/** How alike the clocks of two positions are: the mean of the cosines between their hands. */
export function likeness(pe: Posenc, columns: number, at: number, other: number): number {
  const data = clocksAt(pe, columns, [at, other]);
  return dots(data.subarray(0, 2 * columns), data.subarray(2 * columns), 2 * columns)[0] / columns;
}

export interface Look {
  dark: boolean;
  ink: string;
  soft: string;
  surface: string;
  mark: string;
}

export interface Chosen {
  /** Rows, from the top. */
  at: number;
  other: number;
  /** The position of the first row. */
  first: number;
}

type Context = CanvasRenderingContext2D;

/** The two rows that are compared, behind their clocks. */
function drawBands(context: Context, { width, rowHeight }: Layout, { at, other }: Chosen, { mark }: Look) {
  context.fillStyle = context.strokeStyle = mark;
  for (const row of new Set([at, other])) {
    context.globalAlpha = row === at ? 0.2 : 0.12;
    context.fillRect(0, row * rowHeight, width, rowHeight);
  }
  context.globalAlpha = 1;
}

function drawNumbers(context: Context, { rows, gutter, rowHeight }: Layout, chosen: Chosen, look: Look) {
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (let row = 0; row < rows; row += 1) {
    const isChosen = row === chosen.at || row === chosen.other;
    context.fillStyle = isChosen ? look.mark : look.soft;
    context.font = `${isChosen ? 700 : 400} ${gutter > 40 ? 14 : 12}px system-ui, sans-serif`;
    context.fillText(String(Math.round(chosen.first) + row), gutter - 9, (row + 0.5) * rowHeight);
  }
}

/** The whole field; `table` is that of `clocksAt` for its rows. */
export function drawField(context: Context, layout: Layout, table: Float32Array, chosen: Chosen, look: Look) {
  const { columns, rows, gutter, cell, rowHeight, width, height } = layout;
  const radius = Math.min(cell, rowHeight) * 0.43;
  context.clearRect(0, 0, width, height);
  drawBands(context, layout, chosen, look);
  drawNumbers(context, layout, chosen, look);
  context.lineCap = "round";
  for (let row = 0; row < rows; row += 1) {
    const isChosen = row === chosen.at || row === chosen.other;
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = [gutter + (column + 0.5) * cell, (row + 0.5) * rowHeight];
      const hand = handOf(table, columns, row, column);
      context.fillStyle = isChosen ? look.surface : colourOf(hand.cos, [-2, 2], "diverging", look.dark);
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fill();
      if (row === chosen.at && chosen.other !== row)
        drawTurn(context, [x, y, radius], handOf(table, columns, chosen.other, column), hand, look);
      context.strokeStyle = isChosen ? look.mark : look.ink;
      context.globalAlpha = isChosen ? 1 : 0.7;
      context.lineWidth = isChosen ? 3 : 1.5;
      context.beginPath();
      context.moveTo(x, y);
      // y grows downwards on the screen.
      context.lineTo(x + hand.cos * radius, y - hand.sin * radius);
      context.stroke();
      context.globalAlpha = 1;
    }
  }
}

interface Hand {
  sin: number;
  cos: number;
}

const handOf = (table: Float32Array, columns: number, row: number, column: number): Hand => {
  const start = 2 * (row * columns + column);
  return { sin: table[start], cos: table[start + 1] };
};

/** The shorter way from the hand of the other row to this one. */
function drawTurn(context: Context, [x, y, radius]: number[], from: Hand, to: Hand, { mark }: Look) {
  const angle = ({ sin, cos }: Hand) => Math.atan2(-sin, cos);
  context.fillStyle = mark;
  context.globalAlpha = 0.55;
  context.beginPath();
  context.moveTo(x, y);
  context.arc(x, y, radius, angle(from), angle(to), from.cos * to.sin - from.sin * to.cos > 0);
  context.fill();
  context.globalAlpha = 1;
}

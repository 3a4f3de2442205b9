// A drawn landscape to be cut into patches. Its colours are those of a picture, the same in light and dark pages.

interface Frame {
  width: number;
  height: number;
  /** 0 … 1: how far the sun has come. */
  time: number;
}

type Draw = (context: CanvasRenderingContext2D, frame: Frame) => void;

const sky: Draw = (context, { width, height }) => {
  const gradient = context.createLinearGradient(0, 0, 0, height * 0.7);
  gradient.addColorStop(0, "#5b9bd5");
  gradient.addColorStop(1, "#dcecf7");
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
};

const disc = (context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string) => {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
};

const sun: Draw = (context, { width, height, time }) => {
  const x = width * (0.12 + 0.76 * time);
  const y = height * (0.3 - 0.16 * Math.sin(Math.PI * time));
  disc(context, x, y, height * 0.11, "#ffe9a8");
  disc(context, x, y, height * 0.085, "#ffc93c");
};

const hill = (
  context: CanvasRenderingContext2D,
  { width, height }: Frame,
  colour: string,
  [start, bend, end]: [number, number, number],
) => {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(0, height);
  context.lineTo(0, height * start);
  context.bezierCurveTo(width * 0.3, height * bend, width * 0.65, height * (start + 0.22), width, height * end);
  context.lineTo(width, height);
  context.fill();
};

const house: Draw = (context, { width, height }) => {
  const [left, top, wide, tall] = [width * 0.16, height * 0.56, width * 0.2, height * 0.2];
  context.fillStyle = "#f4ead8";
  context.fillRect(left, top, wide, tall);
  context.fillStyle = "#b5482f";
  context.beginPath();
  context.moveTo(left - wide * 0.12, top);
  context.lineTo(left + wide / 2, top - tall * 0.7);
  context.lineTo(left + wide * 1.12, top);
  context.fill();
  context.fillStyle = "#6b4a34";
  context.fillRect(left + wide * 0.58, top + tall * 0.42, wide * 0.24, tall * 0.58);
  context.fillStyle = "#7fb2d6";
  context.fillRect(left + wide * 0.14, top + tall * 0.28, wide * 0.26, tall * 0.32);
};

const tree: Draw = (context, { width, height }) => {
  const x = width * 0.76;
  context.fillStyle = "#6b4a34";
  context.fillRect(x - width * 0.018, height * 0.6, width * 0.036, height * 0.24);
  disc(context, x, height * 0.5, height * 0.13, "#2f7d46");
  disc(context, x - width * 0.07, height * 0.57, height * 0.09, "#38914f");
  disc(context, x + width * 0.07, height * 0.57, height * 0.09, "#276b3c");
};

/** The whole picture, at any size. */
export const drawScene: Draw = (context, frame) => {
  sky(context, frame);
  sun(context, frame);
  hill(context, frame, "#8fbf8a", [0.62, 0.36, 0.5]);
  hill(context, frame, "#6aa564", [0.74, 0.6, 0.72]);
  house(context, frame);
  tree(context, frame);
};

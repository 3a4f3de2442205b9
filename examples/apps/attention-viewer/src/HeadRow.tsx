import { useEffect, useRef, type PointerEvent } from "react";

const decades = 3;

/** Draws a head's weights, one cell per distance; the opacity is logarithmic from 0.001 to 1. */
export function HeadRow(props: {
  name: string;
  weights: Float32Array;
  longest: number;
  onPoint: (distance: number) => void;
}) {
  const { name, weights, longest, onPoint } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const shown = weights.subarray(0, longest + 1);

  useEffect(() => {
    const context = canvas.current!.getContext("2d")!;
    const [red, green, blue] = getComputedStyle(canvas.current!)
      .color.match(/[\d.]+/g)!
      .map(Number);
    const image = new ImageData(longest + 1, 1);
    shown.forEach((weight, distance) => {
      const opacity = Math.max(0, 1 + Math.log10(weight) / decades);
      image.data.set([red!, green!, blue!, 255 * opacity], 4 * distance);
    });
    context.putImageData(image, 0, 0);
  });

  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = weights.reduce((sum, weight, distance) => sum + weight * distance, 0) / total;
  const point = ({ nativeEvent, currentTarget }: PointerEvent): void => {
    const distance = Math.floor((nativeEvent.offsetX / currentTarget.clientWidth) * (longest + 1));
    onPoint(Math.min(longest, Math.max(0, distance)));
  };
  return (
    <tr data-head={name}>
      <th scope="row">{name}</th>
      <td>
        <canvas
          ref={canvas}
          {...{ width: longest + 1, height: 1, role: "img" }}
          aria-label={`Head ${name}: most attention at distance ${shown.indexOf(Math.max(...shown))}`}
          onPointerMove={point}
          onPointerDown={point}
        />
      </td>
      <td>{mean.toFixed(1)}</td>
      <td>{(weights[1] ?? 0).toFixed(3)}</td>
    </tr>
  );
}

// Points in space, turned and seen from the front.

export interface Seen {
  x: number;
  y: number;
  /** Towards the eye: -1 … 1. */
  depth: number;
}

/** Turned about the upright axis, then tipped forwards; in degrees. */
export function turned(x: number, y: number, z: number, turn: number, tilt: number): Seen {
  const [a, b] = [(turn * Math.PI) / 180, (tilt * Math.PI) / 180];
  const across = x * Math.cos(a) + z * Math.sin(a);
  const back = z * Math.cos(a) - x * Math.sin(a);
  return { x: across, y: y * Math.cos(b) - back * Math.sin(b), depth: y * Math.sin(b) + back * Math.cos(b) };
}

/** Triples moved and scaled so that all lie in the ball of radius 1 around their middle. */
export function inBall(points: ArrayLike<number>): Float64Array {
  const middle = [0, 1, 2].map((axis) => {
    const along = Array.from(points).filter((_, index) => index % 3 === axis);
    return (Math.min(...along) + Math.max(...along)) / 2;
  });
  const moved = Float64Array.from(points, (value, index) => value - middle[index % 3]);
  let largest = 0;
  for (let i = 0; i < moved.length; i += 3)
    largest = Math.max(largest, Math.hypot(moved[i], moved[i + 1], moved[i + 2]));
  return moved.map((value) => value / largest);
}

// How far a square matrix is from being its own mirror image, and from having one value along each diagonal.

export function largestMirror(data: ArrayLike<number>, size: number): number {
  let largest = 0;
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < row; column += 1)
      largest = Math.max(largest, Math.abs(data[row * size + column] - data[column * size + row]));
  return largest;
}

export function largestSpread(data: ArrayLike<number>, size: number): number {
  let largest = 0;
  for (let offset = 1 - size; offset < size; offset += 1) {
    let [low, high] = [Infinity, -Infinity];
    for (let row = Math.max(0, -offset); row < Math.min(size, size - offset); row += 1) {
      const value = data[row * size + row + offset];
      [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
    largest = Math.max(largest, high - low);
  }
  return largest;
}

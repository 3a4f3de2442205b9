// Colour maps of the heat maps. Blue to red-brown through a neutral middle can be told apart with every common
// kind of colour blindness; lightness alone tells the size.

export type Palette = "diverging" | "sequential";
type Colour = readonly [number, number, number];

const stops: Record<"light" | "dark", Record<Palette, Colour[]>> = {
  light: {
    diverging: [
      [8, 58, 122],
      [56, 121, 186],
      [154, 197, 224],
      [246, 246, 243],
      [246, 180, 138],
      [207, 92, 58],
      [122, 18, 32],
    ],
    sequential: [
      [248, 249, 250],
      [198, 219, 239],
      [107, 174, 214],
      [33, 113, 181],
      [8, 48, 107],
    ],
  },
  dark: {
    diverging: [
      [156, 205, 255],
      [72, 142, 220],
      [34, 72, 118],
      [27, 31, 36],
      [122, 61, 26],
      [222, 122, 58],
      [255, 205, 160],
    ],
    sequential: [
      [28, 33, 39],
      [28, 62, 102],
      [42, 106, 174],
      [96, 165, 238],
      [206, 230, 255],
    ],
  },
};

/** 256 colours as red, green, blue bytes. */
export function colourTable(palette: Palette, dark: boolean): Uint8ClampedArray {
  const list = stops[dark ? "dark" : "light"][palette];
  const table = new Uint8ClampedArray(256 * 3);
  for (let index = 0; index < 256; index += 1) {
    const place = (index / 255) * (list.length - 1);
    const left = Math.min(Math.floor(place), list.length - 2);
    for (let channel = 0; channel < 3; channel += 1) {
      const from = list[left][channel];
      table[index * 3 + channel] = from + (list[left + 1][channel] - from) * (place - left);
    }
  }
  return table;
}

const tables = new Map<string, Uint8ClampedArray>();

function cachedTable(palette: Palette, dark: boolean): Uint8ClampedArray {
  const name = `${palette} ${dark}`;
  const table = tables.get(name) ?? colourTable(palette, dark);
  tables.set(name, table);
  return table;
}

/** Where `value` lies in `range`, as an index of the colour table. */
const level = (value: number, [low, high]: readonly [number, number]) =>
  Math.max(0, Math.min(255, Math.round(((value - low) / (high - low || 1)) * 255)));

export function colourOf(value: number, range: readonly [number, number], palette: Palette, dark: boolean): string {
  const start = level(value, range) * 3;
  const table = cachedTable(palette, dark);
  return `rgb(${table[start]} ${table[start + 1]} ${table[start + 2]})`;
}

/** Relative luminance as WCAG 2 has it, of 8-bit red, green and blue. */
function luminance(colour: ArrayLike<number>, start: number): number {
  const linear = (channel: number) => {
    const part = colour[start + channel] / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2);
}

/** Black or white ink, whichever is easier to read on that colour: the contrast is at least 4.5 on any. */
export function inkOn(value: number, range: readonly [number, number], palette: Palette, dark: boolean): string {
  const light = luminance(cachedTable(palette, dark), level(value, range) * 3);
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}

/** One pixel per value, row by row; what a mask hides, minus infinity, has no colour. */
export function paint(
  data: ArrayLike<number>,
  size: { rows: number; columns: number },
  range: readonly [number, number],
  palette: Palette,
  dark: boolean,
): ImageData {
  const image = new ImageData(size.columns, size.rows);
  const table = cachedTable(palette, dark);
  for (let index = 0; index < size.rows * size.columns; index += 1) {
    const start = level(data[index], range) * 3;
    image.data[index * 4] = table[start];
    image.data[index * 4 + 1] = table[start + 1];
    image.data[index * 4 + 2] = table[start + 2];
    image.data[index * 4 + 3] = data[index] === -Infinity ? 0 : 255;
  }
  return image;
}

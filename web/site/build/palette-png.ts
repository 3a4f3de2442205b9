// PNG with a palette: a third of the size of one with four bytes for each pixel, where a picture has few colours.
import { crc32, deflateSync } from "node:zlib";

/** Colours that differ by less than this are the same: the edges of letters and circles have many shades. */
const step = 17;

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** Of opaque pixels, four bytes each; nothing where there are more than 256 colours. */
export function palettePng(pixels: Uint8Array, width: number, height: number): Uint8Array | undefined {
  const indices = new Map<number, number>();
  const colours: number[] = [];
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((width + 1) * height);
  const near = (value: number) => Math.round(value / step) * step;
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const [red, green, blue] = [0, 1, 2].map((channel) => near(pixels[4 * pixel + channel]));
    const key = (red << 16) | (green << 8) | blue;
    let index = indices.get(key);
    if (index === undefined) {
      indices.set(key, (index = indices.size));
      colours.push(red, green, blue);
    }
    if (index > 255) return undefined;
    rows[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits, a palette.
  header.set([8, 3, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [
    chunk("IHDR", header),
    chunk("PLTE", Uint8Array.from(colours)),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", new Uint8Array()),
  ];
  return Buffer.concat([signature, ...parts]);
}

// The README's picture, web/docs/families.svg: a panel for each family, with values of the library.
// `node web/tasks/picture.mjs` draws it; tests/package/picture.test.ts fails when it is out of date.
import { writeFileSync } from "node:fs";
import { inRoot, runTask } from "./prepare.mjs";

const size = 208;
const gap = 24;
const levels = 6;

const round = (value) => String(Math.round(value * 10) / 10);

/** Draws a matrix of values within ±1 as squares: colour is the sign, size the magnitude. */
function heatMap(rows) {
  const paths = new Map();
  const classOf = (value) => {
    const level = Math.round(Math.min(1, Math.abs(value)) * levels);
    return level && `${value > 0 ? "plus" : "minus"} l${level}`;
  };
  rows.forEach((row, y) => {
    for (let x = 0, end; x < row.length; x = end) {
      const name = classOf(row[x]);
      for (end = x + 1; end < row.length && classOf(row[end]) === name;) end++;
      if (name) paths.set(name, `${paths.get(name) ?? ""}M${x} ${y}h${end - x}v1h${x - end}z`);
    }
  });
  const scale = round((10 * size) / rows.length);
  const drawn = [...paths].sort().map(([name, path]) => `<path class="${name}" d="${path}"/>`);
  return `<g transform="scale(${scale / 10})" shape-rendering="crispEdges">${drawn.join("")}</g>`;
}

/** Draws curves; `low` and `high` are the values at the bottom and at the top. */
function curves(lines, low, high) {
  return lines
    .map(({ values, name }) => {
      const points = Array.from(values, (value, i) => [
        (i / (values.length - 1)) * size,
        ((high - value) / (high - low)) * size,
      ]).filter(([, y]) => y <= size);
      return `<polyline class="${name}" points="${points.map((point) => point.map(round).join()).join(" ")}"/>`;
    })
    .join("");
}

const rowsOf = ({ data, dims }) => {
  const width = dims.at(-1);
  return Array.from({ length: data.length / width }, (_, i) => data.slice(i * width, (i + 1) * width));
};

/** The panels: [family, kind, drawing, labels of the axes]. */
function panels(pe) {
  const sinusoidal = pe.create({ kind: "sinusoidal", dim: 40, base: 100, pairing: "concat" });
  const alibi = pe.create({ kind: "alibi", heads: 8 });
  const shaw = pe.create({ kind: "shaw", dim: 16, maxDistance: 8, std: 0.16, seed: 3 });
  const words = { data: new Float32Array(32 * 16).fill(1), dims: [1, 1, 32, 16] };
  const nothing = { data: new Float32Array(32 * 16), dims: [1, 1, 32, 16] };
  const profile = (spec) => pe.distanceProfile(pe.create({ dim: 64, ...spec }), { maxDistance: 96 }).data;
  const rotations = [
    { values: profile({ kind: "rope-linear", factor: 4 }), name: "second" },
    { values: profile({ kind: "rope" }), name: "first" },
  ];
  const biases = rowsOf(alibi.bias({ queries: 1, keys: 49 })).map((row) => ({
    values: Float32Array.from(row).reverse(),
    name: "first",
  }));
  return [
    ["tables", "sinusoidal", heatMap(rowsOf(sinusoidal.table({ length: 40 }))), "values at each position"],
    [
      "rotations",
      '<tspan class="plus">rope</tspan>, <tspan class="minus">rope-linear</tspan>',
      curves(rotations, 0, 1),
      "score by distance",
    ],
    ["biases", "alibi, 8 heads", curves(biases, -12, 0), "bias by distance"],
    ["relative", "shaw", heatMap(rowsOf(shaw.logits(words, nothing))), "scores of queries with keys"],
  ];
}

const shades = Array.from({ length: levels }, (_, i) => `.l${i + 1}{opacity:${round((10 * (i + 1)) / levels) / 10}}`);
const style = `
text{font:600 15px system-ui,sans-serif;fill:#1f2328}.kind{font:13px ui-monospace,monospace}.axes{font:12px system-ui,sans-serif;fill:#59636e}
.paper{fill:#fff;stroke:#d1d9e0}.frame{fill:none;stroke:#d1d9e0}polyline{fill:none;stroke-width:2}
.plus{fill:#0b6bcb}.minus{fill:#d9730d}.first{stroke:#0b6bcb}.second{stroke:#d9730d}
${shades.join("")}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.axes{fill:#9198a1}.paper{fill:#0d1117;stroke:#3d444d}.frame{stroke:#3d444d}
.plus{fill:#58a6ff}.minus{fill:#f0883e}.first{stroke:#58a6ff}.second{stroke:#f0883e}}
`;

export function drawFamilies(pe) {
  const drawn = panels(pe).map(([family, kind, picture, axes], i) => {
    const words = `<text y="-30">${family}</text><text class="kind" y="-10">${kind}</text>`;
    const below = `<text class="axes" y="${size + 20}">${axes}</text>`;
    const frame = `<rect class="frame" width="${size}" height="${size}"/>`;
    return `<g transform="translate(${gap + i * (size + gap)} 68)">${words}${picture}${frame}${below}</g>`;
  });
  const [width, height] = [4 * size + 5 * gap, size + 110];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Four families of positional encodings">
<style>${style}</style>
<rect class="paper" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${drawn.join("\n")}
</svg>
`;
}

export const pictureFile = inRoot("web", "docs", "families.svg");

if (process.argv[1] === inRoot("web", "tasks", "picture.mjs"))
  await runTask(async () => {
    const { init } = await import("posenc");
    writeFileSync(pictureFile, drawFamilies(await init()));
  });

// The diagrams of the guides, web/docs/*.svg: `node web/tasks/diagrams.mjs` draws them; tests/package/picture.test.ts says when
// that is due. Pairs and caches are those that the library computes.
import { writeFileSync } from "node:fs";
import { inRoot, runTask } from "./prepare.mjs";

const width = 440;

const style = `
text{font:15px system-ui,sans-serif;fill:#1f2328}.small{font-size:13px;fill:#59636e}.kind{font:13.5px ui-monospace,monospace}.mid{text-anchor:middle}
.paper{fill:#fff;stroke:#d1d9e0}.box{fill:#f6f8fa;stroke:#8c959f}.given{fill:#ddf4ff;stroke:#0b6bcb}.empty{fill:none;stroke:#d1d9e0}
.p0{fill:#0b6bcb}.p1{fill:#d9730d}.p2{fill:#1a7f37}.p3{fill:#8250df}.on{fill:#fff}path{fill:none;stroke:#59636e;stroke-width:1.3}.copy{stroke:#d9730d;stroke-dasharray:4 3}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.paper{fill:#0d1117;stroke:#3d444d}.box{fill:#161b22;stroke:#6e7681}
.given{fill:#0c2d4a;stroke:#58a6ff}.empty{stroke:#3d444d}.p0{fill:#2f81d8}.p1{fill:#c4661f}.p2{fill:#2ea043}.p3{fill:#8957e5}.on{fill:#fff}path{stroke:#9198a1}.copy{stroke:#f0883e}}
`;

const text = (x, y, words, name = "") => `<text x="${x}" y="${y}"${name && ` class="${name}"`}>${words}</text>`;
const rect = (x, y, w, h, name) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${Math.min(3, w / 8)}" class="${name}"/>`;
const box = (x, y, w, h, words, name = "box") =>
  rect(x, y, w, h, name) + text(x + w / 2, y + h / 2 + 4.5, words, "mid");
/** An arrow from one point to another one on the same row or column. */
function arrow(x, y, toX, toY, name = "") {
  const [dx, dy] = [Math.sign(toX - x) * 5, Math.sign(toY - y) * 5];
  const head = `M${toX - dx - dy} ${toY - dy - dx}L${toX} ${toY}L${toX - dx + dy} ${toY - dy + dx}`;
  return `<path${name && ` class="${name}"`} d="M${x} ${y}L${toX} ${toY}"/><path d="${head}"/>`;
}

const picture = (height, label, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}">
<style>${style}</style>
${rect(0.5, 0.5, width - 1, height - 1, "paper")}
${parts.join("\n")}
</svg>
`;

/** The steps of attention, and the families that enter at each. */
function entries() {
  const steps = [
    ["token embeddings x", ["tables, added to x", "sinusoidal, learned, …"]],
    ["queries, keys, values", ["rotations of q and k", "rope, rope-yarn, xpos, …"]],
    [
      "scores q · k / √d",
      ["relative scores, added", "shaw, deberta, cope, …"],
      ["biases, added", "alibi, t5, kerple, …"],
    ],
    ["softmax"],
    ["sum of weights · v"],
  ];
  const parts = [];
  let top = 20;
  let above;
  for (const [step, ...families] of steps) {
    const height = Math.max(1, families.length) * 52 - 8;
    const middle = top + height / 2;
    parts.push(box(16, middle - 17, 176, 34, step));
    if (above !== undefined) parts.push(arrow(104, above, 104, middle - 17));
    families.forEach(([family, kinds], i) => {
      const y = top + i * 52;
      parts.push(rect(240, y, 184, 44, "given"), text(250, y + 18, family), text(250, y + 35, kinds, "small"));
      const into = middle + (y + 22 - middle) / 2;
      parts.push(arrow(240, into, 192, into));
    });
    above = middle + 17;
    top += height + 22;
  }
  return picture(top - 4, "Where each family enters attention", parts);
}

/** The feature that a rotation pairs with each feature: a unit vector rotated by one position has two features. */
function partnersOf(pe, pairing) {
  const dim = 8;
  const rope = pe.create({ kind: "rope", dim, pairing });
  return Array.from({ length: dim }, (_, i) => {
    const x = { data: Float32Array.from({ length: dim }, (_, j) => Number(i === j)), dims: [1, 1, 1, dim] };
    const { data } = rope.apply(x, { offset: 1 });
    return data.findIndex((value, j) => j !== i && value !== 0);
  });
}

function pairs(pe) {
  const parts = [];
  ["half", "interleaved"].forEach((pairing, row) => {
    const partners = partnersOf(pe, pairing);
    const [top, size, left] = [62 + row * 118, 50, 20];
    const models = ["Llama, Qwen, Gemma, GPT-NeoX", "GPT-J, Cohere, ChatGLM, RoFormer"][row];
    parts.push(text(left, top - 26, `pairing: "${pairing}"`, "kind"), text(left, top - 9, models, "small"));
    const middle = (i) => left + i * size + size / 2;
    partners.forEach((partner, i) => {
      const color = partners.slice(0, Math.min(i, partner)).filter((other, j) => other > j).length;
      parts.push(rect(left + i * size + 1, top, size - 2, 30, `p${color}`), text(middle(i), top + 20, i, "mid on"));
      if (partner > i) {
        const depth = top + 36 + (pairing === "half" ? color * 5 : 0) + 6;
        parts.push(`<path d="M${middle(i)} ${top + 32}V${depth}H${middle(partner)}V${top + 32}"/>`);
      }
    });
  });
  return picture(242, "Features that a rotation pairs, in both layouts of a head of 8", parts);
}

function memory() {
  const lane = (top, title, words, parts) => [
    text(20, top, title, "kind"),
    text(20, top + 128, words, "small"),
    text(88, top + 24, "JavaScript", "mid small"),
    text(341, top + 24, "WebAssembly", "mid small"),
    ...parts,
  ];
  return picture(320, "Copies between JavaScript and WebAssembly", [
    ...lane(24, "rope.apply({ data, dims })", "The array is copied in, and the result is copied out.", [
      box(20, 64, 136, 52, "Float32Array", "given"),
      box(262, 64, 158, 52, "copy, rotated"),
      arrow(156, 78, 262, 78, "copy"),
      arrow(262, 102, 156, 102, "copy"),
    ]),
    ...lane(180, "rope.apply(pe.tensor(dims))", "The tensor is in this memory: nothing is copied.", [
      box(20, 220, 136, 52, "x.data, a view"),
      box(262, 220, 158, 52, "values", "given"),
      arrow(156, 246, 262, 246),
    ]),
  ]);
}

/** The tokens that a cache attends to after each of `count` appends: values are unit vectors, and all scores are equal. */
function keptBy(pe, policy, count) {
  const cache = pe.cache({ heads: 1, dim: count, capacity: count, ...(policy && { policy }) });
  const token = (t) => ({
    data: Float32Array.from({ length: count }, (_, i) => Number(i === t)),
    dims: [1, 1, 1, count],
  });
  const rows = Array.from({ length: count }, (_, t) => {
    cache.append(token(-1), token(t));
    return Array.from(cache.attend(token(-1)).data, (weight) => weight > 0);
  });
  cache.dispose();
  return rows;
}

function policies(pe) {
  const count = 14;
  const cell = 9;
  const panels = [
    ["no policy", undefined],
    ["window of 5", { window: 5 }],
    ["5, and 2 sinks", { window: 5, sinks: 2 }],
  ];
  const parts = panels.flatMap(([title, policy], panel) => {
    const left = 16 + panel * 140;
    const squares = keptBy(pe, policy, count).flatMap((row, t) =>
      row.flatMap((isKept, key) =>
        key > t ? [] : [rect(left + key * cell, 34 + t * cell, cell - 1, cell - 1, isKept ? "p0" : "empty")],
      ),
    );
    return [text(left, 24, title), ...squares];
  });
  parts.push(text(16, 182, "Rows: queries. Columns: tokens; blue ones are kept.", "small"));
  return picture(198, "Tokens that a cache keeps, by policy", parts);
}

/** Returns the diagrams by their file names. */
export const diagrams = (pe) => ({
  "where-families-enter.svg": entries(),
  "pairs.svg": pairs(pe),
  "copies.svg": memory(),
  "cache-policies.svg": policies(pe),
});

if (process.argv[1] === inRoot("web", "tasks", "diagrams.mjs"))
  await runTask(async () => {
    const { init } = await import("posenc");
    for (const [name, svg] of Object.entries(diagrams(await init()))) writeFileSync(inRoot("web", "docs", name), svg);
  });

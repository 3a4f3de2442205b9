// Shows the cells and runs them. A cell is the body of a function in a module of its text, so that it may use await.
import { cells } from "./cells.js";
import { init } from "./node_modules/posenc/dist/index.js";

const pe = await init({ parts: "all" });

/** Creates an element at the end of another one. */
function add(parent, name, properties = {}) {
  const element = Object.assign(document.createElement(name), properties);
  parent.append(element);
  return element;
}

/** The functions that cells can call; they write below the cell. */
function toolsFor(output) {
  /** Prints values as a line. */
  function print(...values) {
    const texts = values.map((value) => (typeof value === "number" ? Number(value.toFixed(4)) : value));
    add(output, "pre", { textContent: texts.join(" ") });
  }

  /** Draws a matrix, one cell per element: darker is larger. `label` describes it for screen readers. */
  function draw({ data, dims }, label) {
    const [height, width] = dims.slice(-2);
    const values = data.subarray(0, height * width);
    const canvas = add(output, "canvas", { width, height, role: "img", ariaLabel: label });
    const [red, green, blue] = getComputedStyle(canvas)
      .color.match(/[\d.]+/g)
      .map(Number);
    const finite = values.filter(Number.isFinite);
    const [low, high] = [Math.min(...finite), Math.max(...finite)];
    const image = new ImageData(width, height);
    values.forEach((value, i) => {
      const share = Number.isFinite(value) ? (value - low) / (high - low || 1) : 0;
      image.data.set([red, green, blue, 255 * share], 4 * i);
    });
    canvas.getContext("2d").putImageData(image, 0, 0);
    print(`${label}: ${height} × ${width}, from ${low.toFixed(2)} to ${high.toFixed(2)}`);
  }

  return { pe, print, draw };
}

async function run(code, output) {
  output.replaceChildren();
  const text = `export default async ({ pe, print, draw }) => {\n${code}\n};`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    const { default: cell } = await import(address);
    await cell(toolsFor(output));
  } catch (error) {
    add(output, "pre", { textContent: String(error), role: "alert" });
  } finally {
    URL.revokeObjectURL(address);
  }
}

const main = document.querySelector("main");
const runs = cells.map(({ title, note, code }, i) => {
  const section = add(main, "section");
  add(section, "h2", { textContent: `${i + 1}. ${title}` });
  add(section, "p", { textContent: note });
  const rows = code.split("\n").length + 1;
  const source = add(section, "textarea", { value: code, rows, spellcheck: false, ariaLabel: `Code of ${title}` });
  const button = add(section, "button", { textContent: "Run", ariaLabel: `Run ${title}` });
  const output = add(section, "div", { className: "output", ariaLive: "polite" });
  button.onclick = () => run(source.value, output);
  return button.onclick;
});

document.querySelector("#all").onclick = async () => {
  for (const runCell of runs) await runCell();
  document.body.dataset.ran = "";
};

// What a case says twice must agree: a list that stands among parameters and inputs, a size that a shape shows, too.
import { Malformed, toNumbers } from "./arrays.mjs";

const isNumeric = (values) => values.length > 0 && values.every((value) => typeof value === "number");
const sameValues = (left, right) => left.length === right.length && left.every((value, i) => value === right[i]);

// `rows` of a table are its input `row_index`.
const OTHER_NAME = { rows: "row_index" };

function checkLists({ params, inputs }) {
  for (const [name, value] of Object.entries(params)) {
    const input = inputs[name] ?? inputs[OTHER_NAME[name]];
    if (!input || !Array.isArray(value)) continue;
    const stated = value.flat(Infinity);
    if (!isNumeric(stated)) continue;
    const rounded = input.dtype === "float32" ? stated.map(Math.fround) : stated;
    if (!sameValues(rounded, toNumbers(input.data)))
      throw new Malformed(`params.${name} and inputs.${OTHER_NAME[name] ?? name} differ`);
  }
}

/**
 * Throws unless the numbers of a case agree with each other. `shapes` names the axes of inputs as parameters do:
 * `{ q: "batch heads|num_heads Tq dim" }`; what has the same name has the same size.
 */
export function checkRestated(parsed, shapes = {}) {
  checkLists(parsed);
  const sizes = new Map(Object.entries(parsed.params).filter(([, value]) => typeof value === "number"));
  for (const [name, text] of Object.entries(shapes)) {
    const { dims } = parsed.inputs[name] ?? {};
    const axes = text.split(" ");
    // Another rank is another form of the same thing: the mapping sees to it.
    if (dims?.length !== axes.length) continue;
    axes.forEach((words, i) => {
      for (const axis of words.split("|")) {
        if ((sizes.get(axis) ?? dims[i]) !== dims[i])
          throw new Malformed(`${axis} is ${sizes.get(axis)}, but inputs.${name} is [${dims}]`);
        sizes.set(axis, dims[i]);
      }
    });
  }
}

/** Throws unless a parameter, where the case has it, says what the library finds: `found` is a number or a list. */
export function checkFact({ params }, name, found) {
  if (params[name] === undefined || params[name] === null) return;
  const [stated, known] = [params[name], found].map((value) => [value].flat(Infinity));
  const near = (value, i) => Math.abs(value - known[i]) <= 1e-12 * Math.abs(value);
  if (stated.length !== known.length || !stated.every(near))
    throw new Malformed(
      `params.${name} is ${JSON.stringify(params[name])}, the library finds ${JSON.stringify(found)}`,
    );
}

/** The same of an input, number by number. */
export function checkInput({ inputs }, name, { data }) {
  if (inputs[name] && !sameValues(toNumbers(inputs[name].data), toNumbers(data)))
    throw new Malformed(`inputs.${name} is not what the library finds`);
}

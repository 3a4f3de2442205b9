// What every consumer computes with the library, as plain data: consumers.ts knows the right answers.

/**
 * `library` is what the package exports; `models` comes from posenc/models, where the consumer has it. The scalar build is
 * out of reach of a script that was opened from a disk.
 */
export async function check(library, { models, transformers, hasScalar = true } = {}) {
  const pe = await library.init();
  await pe.load("attention");
  const rope = pe.create({ kind: "rope", dim: 8 });
  const sinusoidal = pe.create({ kind: "sinusoidal", dim: 4 });
  const table = sinusoidal.table({ length: 2 });
  const query = { data: Float32Array.of(1, 0, 0, 1), dims: [1, 1, 1, 4] };
  const zeros = (dims) => ({ data: new Float32Array(dims.reduce((product, dim) => product * dim)), dims });
  const values = { data: Float32Array.of(1, 2, 3, 4), dims: [1, 1, 2, 2] };
  return {
    variant: pe.variant,
    scalar: hasScalar ? (await library.init({ variant: "scalar" })).variant : "scalar",
    frequencies: [...rope.inverseFrequencies],
    table: [...table.data],
    rotated: [...pe.create({ kind: "rope", dim: 4 }).apply(query, { offset: 1 }).data],
    slopes: [...pe.create({ kind: "alibi", heads: 4 }).slopes],
    attended: [...pe.attention(zeros([1, 1, 1, 2]), zeros([1, 1, 2, 2]), values).data],
    refusal: refusal(library, () => pe.create({ kind: "rope-yarn", dim: 8, factor: 0.5, originalLength: 64 })),
    // Features of transformers.js: zeros, and positions added to them.
    added: [...(transformers ? transformers.addPositional(zeros([1, 2, 4]), sinusoidal) : table).data],
    model: models ? models["llama-3.1-8b"].spec.kind : "rope-llama3",
  };
}

function refusal({ PosencError }, work) {
  try {
    work();
    return "none";
  } catch (error) {
    return `${error instanceof PosencError} ${error.code} ${error.field}`;
  }
}

/** Puts a page's results where the tests read them. */
export function show(result) {
  result.then(
    (value) => display("done", JSON.stringify(value)),
    (error) => display("failed", String(error?.stack ?? error)),
  );
}

function display(title, text) {
  document.querySelector("#result").textContent = text;
  document.title = title;
}

// What every consumer computes with the library, as plain data: index.mjs knows the right answers.

/**
 * `library` is what the package exports; `models` comes from posenc/models, where the consumer has it. The scalar build is
 * out of reach of a script that was opened from a disk.
 */
export async function check(library, { models, hasScalar = true } = {}) {
  const pe = await library.init();
  const rope = pe.create({ kind: "rope", dim: 8 });
  const query = { data: Float32Array.of(1, 0, 0, 1), dims: [1, 1, 1, 4] };
  const zeros = (dims) => ({ data: new Float32Array(dims.reduce((product, dim) => product * dim)), dims });
  const values = { data: Float32Array.of(1, 2, 3, 4), dims: [1, 1, 2, 2] };
  return {
    variant: pe.variant,
    scalar: hasScalar ? (await library.init({ variant: "scalar" })).variant : "scalar",
    frequencies: [...rope.inverseFrequencies],
    table: [...pe.create({ kind: "sinusoidal", dim: 4 }).table({ length: 2 }).data],
    turned: [...pe.create({ kind: "rope", dim: 4 }).apply(query, { offset: 1 }).data],
    slopes: [...pe.create({ kind: "alibi", heads: 4 }).slopes],
    attended: [...pe.attention(zeros([1, 1, 1, 2]), zeros([1, 1, 2, 2]), values).data],
    refusal: refusal(library, () => pe.create({ kind: "rope-yarn", dim: 8, factor: 0.5, originalLength: 64 })),
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
    (value) => tell("done", JSON.stringify(value)),
    (error) => tell("failed", String(error?.stack ?? error)),
  );
}

function tell(title, text) {
  document.querySelector("#result").textContent = text;
  document.title = title;
}

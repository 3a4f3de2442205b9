/** Returns the TypeScript name of a kind's spec: rope-yarn → RopeYarnSpec. */
export const typeName = (kind) => kind.replace(/(^|-)(\w)/g, (_, __, letter) => letter.toUpperCase()) + "Spec";

/** The families of encodings, in the order of the documentation. */
export const families = {
  table: {
    title: "Tables",
    what: "a vector for each position, added to or concatenated with the features",
    class: "TableEncoding",
  },
  rotary: { title: "Rotations", what: "queries and keys rotated by their positions", class: "RotaryEncoding" },
  bias: { title: "Biases", what: "values added to attention scores", class: "BiasEncoding" },
  relative: {
    title: "Relative",
    what: "attention scores that depend on queries and keys themselves",
    class: "RelativeEncoding",
  },
};

/** Returns the families that have members, with these. */
export function byFamily(descriptions) {
  return Object.entries(families)
    .map(([family, about]) => ({
      family,
      ...about,
      members: descriptions.filter((description) => description.family === family),
    }))
    .filter(({ members }) => members.length > 0);
}

/** A kind's spec in TypeScript: rope-yarn → RopeYarnSpec. */
export const typeName = (kind) => kind.replace(/(^|-)(\w)/g, (_, __, letter) => letter.toUpperCase()) + "Spec";

/** The families of encodings, in the order in which they are told. */
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

/** The families that have members, each with its members. */
export function byFamily(descriptions) {
  return Object.entries(families)
    .map(([family, about]) => ({
      family,
      ...about,
      members: descriptions.filter((description) => description.family === family),
    }))
    .filter(({ members }) => members.length > 0);
}

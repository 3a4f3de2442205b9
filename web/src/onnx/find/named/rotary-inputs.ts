// Cosines and sines that are inputs of the graph, as `rewrite` makes them with `tables: "inputs"`.
import { typeNamed } from "../../read/values.js";
import type { Facts, Named } from "./facts.js";

/** Finds inputs with the names that `withRotaryTables` feeds: [batch, tokens, dim], or tables [rows, pairs]. */
export function findRotaryInputs({ flow, sites }: Named): Facts[] {
  const { graph } = flow.model;
  return graph.inputs.flatMap(({ name, type, dims = [] }): Facts[] => {
    if (!/^rope_cos(\.\d+)?$/.test(name)) return [];
    const values = [name, name.replace("cos", "sin")].flatMap((one) => flow.find(graph, one) ?? []);
    const width = dims.at(-1);
    return [
      {
        family: "rotary",
        form: "inputs",
        layers: sites.reachedBy(values),
        ...(typeof width === "number" && { dim: dims.length === 2 ? 2 * width : width }),
        type: typeNamed(type) ?? "float32",
        constants: [],
        steps: values.flatMap(({ users }) => users),
      },
    ];
  });
}

// The new encodings for a model's other files: a rotation per kind of layer, as in config.json, and a bias.
import { layerSpecs } from "../config/layers.js";
import { attentionLayers } from "../onnx/audit/config-facts.js";
import type { PositionalComponent } from "../onnx/component.js";
import type { RewriteOptions } from "../onnx/options.js";
import type { Followed } from "../transformers/model-json.js";
import { specOfChoice, type Rope } from "../transformers/rope-json.js";

/**
 * Returns the options, with the new rotation of each kind of layer if `rotary` is a function of the component and no
 * kind got several, and with the new bias if `bias` is a function that has the same result for all components.
 */
export function followedBy(
  options: RewriteOptions,
  positions: readonly PositionalComponent[],
  config: unknown,
): Followed {
  return withRotations({ ...options, ...biasOf(options, positions) }, positions, config);
}

function biasOf({ bias }: RewriteOptions, positions: readonly PositionalComponent[]): Pick<RewriteOptions, "bias"> {
  if (typeof bias !== "function") return {};
  const choices = positions.flatMap((component) =>
    /bias|relative/.test(component.family) && component.changeable !== false ? [bias(component)] : [],
  );
  const [first] = choices;
  return first && new Set(choices.map((one) => JSON.stringify(one))).size === 1 ? { bias: first } : {};
}

function withRotations(options: Followed, positions: readonly PositionalComponent[], config: unknown): Followed {
  const { rotary } = options;
  if (typeof rotary !== "function") return options;
  const layers = attentionLayers(layerSpecs, config);
  const specs = new Map<string | undefined, Rope | undefined>();
  for (const component of positions) {
    if (component.family !== "rotary" || component.changeable === false) continue;
    const choice = rotary(component);
    for (const kind of new Set(component.layers.map((layer) => layers?.[layer]?.type))) {
      const spec = choice && specOfChoice(choice, kind);
      if (specs.has(kind) && JSON.stringify(specs.get(kind)) !== JSON.stringify(spec)) return options;
      specs.set(kind, spec);
    }
  }
  const all = [...specs].flatMap(([kind, spec]) => (spec ? [[kind ?? "all", spec] as const] : []));
  return { ...options, rotaryOf: Object.fromEntries(all) };
}

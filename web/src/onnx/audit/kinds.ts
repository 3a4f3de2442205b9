// The encodings that a config.json describes, by kinds of layers.
import { PosencError } from "../../base/errors.js";
import type { Spec } from "../../base/specs.gen.js";
import { isAboutConfig } from "../../config/unreadable.js";
import type { ConfigFacts } from "./config-facts.js";
import type { PositionalComponent } from "../component.js";
import type { Library } from "../options.js";

/** An encoding of any family. */
export interface Made {
  readonly family: string;
  readonly spec: Spec;
  readonly slopes?: ArrayLike<number>;
  readonly assumed: readonly string[];
  readonly ignored: readonly string[];
  dispose(): void;
}

/** Creates encodings, which are disposed after the audit. */
export class Maker {
  private readonly made = new Map<string, Made>();
  constructor(private readonly pe: Library) {}
  /** Creates each encoding once; components share it. */
  private keep(key: string, make: () => unknown): Made {
    const made = this.made.get(key) ?? (make() as Made);
    this.made.set(key, made);
    return made;
  }
  create(spec: Spec): Made {
    return this.keep(JSON.stringify(spec), () => this.pe.create(spec));
  }
  /** The config is the same in all calls of an audit. */
  fromConfig(config: unknown, layerType?: string): Made {
    return this.keep(`config ${layerType}`, () =>
      this.pe.fromConfig(config, layerType === undefined ? {} : { layerType }),
    );
  }
  dispose(): void {
    for (const encoding of this.made.values()) encoding.dispose();
  }
}

/** The encoding of one kind of layer, of any family. */
export interface Kind {
  readonly name?: string;
  readonly encoding: Made;
  readonly layers?: readonly number[];
}

/** Returns the kinds of layers in the part of the config that the graph belongs to. */
export function kindsOf(
  maker: Maker,
  config: unknown,
  facts: ConfigFacts,
  { layers, found }: { readonly layers: number; readonly found: ReadonlyMap<PositionalComponent, unknown> },
): Kind[] {
  const families = new Set<string>(Array.from(found.keys(), ({ family }) => family));
  const isFound = (kinds: readonly Kind[]): boolean => kinds.some(({ encoding }) => families.has(encoding.family));
  // The graph may contain only the image encoder, as for SAM.
  const ofImages = (): Kind[] => {
    try {
      return [{ encoding: maker.fromConfig(config, "vision") }];
    } catch (error) {
      if (!isAboutConfig(error)) throw error;
      return [];
    }
  };
  let kinds: Kind[];
  try {
    kinds = ofText(maker, config, facts, facts.layers !== undefined && facts.layers === layers);
  } catch (error) {
    if (!isAboutConfig(error)) throw error;
    const others = ofImages();
    if (others.length === 0) throw error;
    return others;
  }
  if (families.size === 0 || isFound(kinds)) return kinds;
  const others = ofImages();
  return isFound(others) ? others : kinds;
}

/** Returns the kinds of text layers. `isKnown`: layers of the graph have the same indices as in the config. */
function ofText(maker: Maker, config: unknown, facts: ConfigFacts, isKnown: boolean): Kind[] {
  try {
    const layers = isKnown && facts.rotatingLayers ? { layers: facts.rotatingLayers } : {};
    return [{ encoding: maker.fromConfig(config), ...layers }];
  } catch (error) {
    if (!(error instanceof PosencError) || error.field !== "layerType") throw error;
  }
  const { types } = facts;
  const rotatingLayers = facts.rotatingLayers && new Set(facts.rotatingLayers);
  return [...new Set(types ?? ["full_attention", "sliding_attention"])].flatMap((name): Kind[] => {
    const isOwn = (type: string, layer: number): boolean => type === name && (rotatingLayers?.has(layer) ?? true);
    const layers = types?.flatMap((type, layer) => (isOwn(type, layer) ? [layer] : []));
    try {
      return [{ name, encoding: maker.fromConfig(config, name), ...(isKnown && layers && { layers }) }];
    } catch (error) {
      // Such layers have no positions.
      if (error instanceof PosencError && error.code === "unsupported" && error.field === "layerType") return [];
      throw error;
    }
  });
}

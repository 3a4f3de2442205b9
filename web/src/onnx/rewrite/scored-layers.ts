// Finds the scores of layers: the product of queries and keys, or fused attention, with the rotation of both.
import type { PosencError } from "../../base/errors.js";
import { nameLayers } from "../audit/finding.js";
import type { PositionalComponent } from "../component.js";
import type { Found } from "../find/find.js";
import { rotatedBy, rotatedPart, type RotatedPart } from "../find/rotated.js";
import type { FoundRotation } from "../find/rotary.js";
import { bufferOf } from "../find/scores.js";
import { isFused, productBelow } from "../find/sites.js";
import { keyHeadsOf } from "../find/key-heads.js";
import { tokenPositionsOf } from "../find/token-positions.js";
import { integerOf, type Step, type Value } from "../read/flow.js";
import type { Graph } from "../read/graph.js";
import { Ranks } from "../read/ranks.js";
import { rotatesPart, whyNotApart } from "./apart.js";
import { refusedFor } from "./by-layer.js";
import { isKnownProduct, permsOf, type KnownProduct } from "./product-sides.js";
import type { PairRotation } from "./rotated-again.js";
import type { Work } from "./work.js";

/** The rotation of queries and keys, and the features of each that it rotates. */
export interface Rotated {
  readonly rotation: PairRotation;
  readonly queries: RotatedPart;
  readonly keys: RotatedPart;
}

/** A layer whose scores change. */
export interface ScoredLayer {
  /** The product of queries and keys, or fused attention. */
  readonly step: Step;
  /** Positions of the queries; undefined: the index in the text. */
  readonly positions: Value | undefined;
  /** undefined: queries and keys are not rotated, or it was not asked. */
  readonly rotated: Rotated | undefined;
  /** Number of features that are rotated; 0: none. */
  readonly rotaryDim: number;
  /** undefined: fused attention. */
  readonly product: KnownProduct | undefined;
}

type Refused = (why: string) => PosencError;

const hasSeveralAxes = ({ axes, grid, sections }: FoundRotation): boolean => Boolean(axes ?? grid ?? sections);

export class ScoredLayers {
  private readonly ranks = new Ranks();
  private readonly rotations = new Map<FoundRotation, ReadonlySet<Value>>();

  /** `otherOption`: another option of the rewrite that changes fused attention. */
  constructor(
    components: ReadonlyMap<PositionalComponent, Found>,
    private readonly work: Work,
    private readonly otherOption: string | undefined,
  ) {
    for (const [{ family }, found] of components)
      if (family === "rotary" && "frequencies" in found) this.rotations.set(found, rotatedBy(found));
  }

  /** Returns the scores of a layer, for an option. Throws `unsupported` if they cannot be changed. */
  async of(attention: Step, layer: number, option: "remap" | "temperature"): Promise<ScoredLayer> {
    const refused: Refused = (why) => refusedFor(option, `${nameLayers([layer])}: ${why}`);
    const step = isFused(attention) ? this.fused(attention, refused) : this.product(attention, refused);
    const found = this.rotationOf(step, refused);
    if (!found && integerOf(step.node, "do_rotary", 0) === 1)
      throw refused(`${step.op} rotates by tables that posenc does not know`);
    return {
      step,
      rotaryDim: 2 * (found?.frequencies.length ?? 0),
      positions: found || option === "temperature" ? this.positionsOf(step, found, refused) : undefined,
      rotated: found && option === "remap" ? this.rotatedBy(found, step, refused) : undefined,
      product: isFused(step)
        ? undefined
        : {
            ...{ step, rank: this.rankOf(step), perms: permsOf(step) },
            keyHeads: await keyHeadsOf(step.ins[1]!, this.work.files),
          },
    };
  }

  private fused(step: Step, refused: Refused): Step {
    const why = this.otherOption
      ? `${step.op} is replaced by its parts: set \`${this.otherOption}\` in a rewrite of the result`
      : whyNotApart(step, this.work.opset);
    if (why) throw refused(why);
    return step;
  }

  private product(softmax: Step, refused: Refused): Step {
    const buffer = bufferOf(softmax);
    if (buffer) throw refused(`keys are in a buffer of fixed length (${buffer})`);
    const product = productBelow(softmax);
    if (!product || !isKnownProduct(product) || product.node.graph !== softmax.node.graph)
      throw refused(`Softmax "${softmax.node.name || softmax.outs[0]!.name}" has no known product of queries and keys`);
    const rank = this.rankOf(product);
    if (rank < 3 || rank > 5) throw refused(`${product.op} has ${rank} dims, not [batch, heads, queries, keys]`);
    return product;
  }

  private rankOf(product: Step): number {
    return permsOf(product) ? 4 : (this.ranks.of(product.outs[0]) ?? 4);
  }

  /** Returns the rotation of queries and keys; undefined: they are not rotated. */
  private rotationOf(step: Step, refused: Refused): FoundRotation | undefined {
    const sides = step.ins.slice(0, 2);
    const rotates = ([found, values]: [FoundRotation, ReadonlySet<Value>]): boolean =>
      found.steps.includes(step) || sides.some((side) => side && values.has(side));
    const [first, ...others] = [...this.rotations].filter(rotates);
    if (others.length > 0)
      throw refused("the graph chooses between several rotations, or rotates queries and keys by different ones");
    return first?.[0];
  }

  /** Returns the positions of the queries; in layers without rotation, those by which other layers rotate. */
  private positionsOf(step: Step, own: FoundRotation | undefined, refused: Refused): Value | undefined {
    if (own?.steps.includes(step)) return undefined;
    let late: Step | undefined;
    for (const found of own ? [own] : this.rotations.keys()) {
      if (hasSeveralAxes(found)) throw refused("positions have several axes");
      const positions = tokenPositionsOf(found);
      for (let graph: Graph | undefined = step.node.graph; graph; graph = graph.parent) {
        if (positions?.graph !== graph) continue;
        if (!positions.maker || positions.maker.index < step.index) return positions;
        late = positions.maker;
      }
    }
    if (!late) return undefined;
    const name = `${late.op} "${late.node.name || late.outs[0]!.name}"`;
    throw refused(
      `it has no rotation, and other layers' positions come after it (${name}); choose layers by a function`,
    );
  }

  private rotatedBy(found: FoundRotation, step: Step, refused: Refused): Rotated {
    const { frequencies, pairing } = found;
    if (!pairing) throw refused("the graph does not show which features form pairs");
    const rotation = { frequencies, pairing };
    if (found.steps.includes(step)) {
      const part = rotatesPart(step, 2 * frequencies.length) ? "first" : "all";
      return { rotation, queries: part, keys: part };
    }
    const [queries, keys] = step.ins
      .slice(0, 2)
      .map((side) => side && rotatedPart(side, this.rotations.get(found)!, this.ranks));
    if (!queries || !keys) throw refused("only queries or only keys are rotated");
    if (typeof queries === "object") throw refused(`${queries.after} changes queries after the rotation`);
    if (typeof keys === "object") throw refused(`${keys.after} changes keys after the rotation`);
    return { rotation, queries, keys };
  }
}

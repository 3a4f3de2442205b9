// All classes of encodings.
import type { KindsWith, Spec } from "../base/specs.gen.js";
import { coreClasses } from "./core-classes.js";
import type { Classes } from "./create.js";
import type { SpecialClasses } from "./kinds.js";
import { GatedRelative, GatedRowRelative, RowRelative } from "./gated.js";
import { RelativeEncoding } from "./relative.js";
import { BiasedRelative, BucketRelative, ContextRelative, PolarRelative } from "./relatives.js";
import { TransformRelative } from "./transforms.js";

export const allClasses = {
  families: { ...coreClasses.families, relative: RelativeEncoding },
  special: {
    ...coreClasses.special,
    bucketOf: BucketRelative,
    contextPositions: ContextRelative,
    expand: PolarRelative,
    logGates: GatedRelative,
    biasOf: BiasedRelative,
    biasOfRows: RowRelative,
    gateRows: GatedRowRelative,
    apply: TransformRelative,
  } satisfies { [Call in keyof KindsWith]: new (...args: any) => SpecialClasses<Spec>[Call] },
} satisfies Classes;

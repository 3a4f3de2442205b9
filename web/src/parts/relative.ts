// The part `relative`: encodings that are part of attention, and their functions.
import type { Classes, RelativeSpecial } from "../encodings/classes.js";
import { GatedRelative, GatedRowRelative, RowRelative, StateRelative } from "../encodings/gated.js";
import { cumulativePhases } from "../encodings/phases.js";
import { RelativeEncoding, relativeShift } from "../encodings/relative.js";
import { BiasedRelative, BucketRelative, ContextRelative, PolarRelative } from "../encodings/relatives.js";
import { TransformRelative } from "../encodings/transforms.js";

const classes = {
  family: RelativeEncoding,
  special: {
    bucketOf: BucketRelative,
    contextPositions: ContextRelative,
    expand: PolarRelative,
    logGates: GatedRelative,
    biasOf: BiasedRelative,
    biasOfRows: RowRelative,
    gateRows: GatedRowRelative,
    relativeLogits: StateRelative,
    apply: TransformRelative,
  } satisfies RelativeSpecial,
} satisfies Classes;

export const relativePart = { classes, cumulativePhases, relativeShift };

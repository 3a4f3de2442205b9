// Allen Institute for AI: OLMo, Longformer.
import * as schedules from "../rules/schedules.js";
import * as text from "../rules/text.js";
import * as unrotated from "../rules/unrotated.js";
import * as windows from "../rules/windows.js";
import type { ModelTypes } from "./row.js";

export const allen: ModelTypes = () => ({
  flex_olmo: { pairing: "half", theta: 5e5 },
  longformer: { rule: text.learnedAfterPadding(1), window: windows.longformer, alwaysLocal: true },
  olmo: { pairing: "half", theta: 1e4 },
  olmo_hybrid: { pairing: "half", theta: 1e4, schedule: schedules.olmoHybrid, isUnrotated: unrotated.withNullBase },
  olmo2: { pairing: "half", theta: 1e4 },
  olmo3: { pairing: "half", schedule: schedules.everyNth(4) },
  olmoe: { pairing: "half", theta: 1e4 },
});

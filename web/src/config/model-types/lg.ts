// LG: EXAONE.
import * as images from "../rules/images.js";
import * as schedules from "../rules/schedules.js";
import * as second from "../rules/second.js";
import * as unrotated from "../rules/unrotated.js";
import type { ModelTypes } from "./row.js";

export const lg: ModelTypes = () => ({
  exaone: { pairing: "half" },
  exaone_moe: { pairing: "half", theta: 1e4, schedule: schedules.exaone, rotatesLocally: unrotated.fullWithWindow },
  exaone4: { pairing: "half", theta: 1e4, schedule: schedules.exaone, rotatesLocally: unrotated.fullWithWindow },
  exaone4_5: {
    text: "exaone4",
    vision: "exaone4_5_vision",
    pairing: "half",
    visionRule: images.qwenVision,
    schedule: schedules.exaone,
    second: second.windowed,
    rotatesLocally: unrotated.fullWithWindow,
  },
  exaone4_5_text: { pairing: "half", schedule: schedules.exaone, rotatesLocally: unrotated.fullWithWindow },
  exaone4_5_vision: { rule: images.qwenVision, second: second.windowed },
});

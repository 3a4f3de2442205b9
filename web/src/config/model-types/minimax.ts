// MiniMax.
import * as schedules from "../rules/schedules.js";
import type { ModelTypes } from "./row.js";

export const minimax: ModelTypes = () => ({
  minimax: { pairing: "half", theta: 1e6, schedule: schedules.minimax },
  minimax_m2: { pairing: "half", theta: 5e6, headDim: 128 },
  minimax_m3: { pairing: "half" },
  minimax_m3_vl: { text: "minimax_m3_vl_text", vision: "minimax_m3_vl_vision" },
  minimax_m3_vl_text: { pairing: "half", theta: 5e6, headDim: 128 },
  minimax_m3_vl_vision: { reason: "are rotations by frames, rows and columns of a part of each head" },
});

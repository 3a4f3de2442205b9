// The mapping table: group → list of {matches(case), run(pe, case)}. The first entry that matches runs the case;
// `run` returns one function per output name, which gives {data, dims}. Cases are told apart by the names of their
// parameters and inputs, never by their own name, so that other cases of the same formula work unchanged.
import { ALIBI } from "./alibi.mjs";
import { ATTENTION } from "./attention.mjs";
import { BIAS } from "./bias.mjs";
import { DDALIBI } from "./ddalibi.mjs";
import { FORGET } from "./forget.mjs";
import { GLM2D } from "./glm2d.mjs";
import { GRAD } from "./grad.mjs";
import { GRAPE_ADDITIVE } from "./grape-additive.mjs";
import { LOGN } from "./logn.mjs";
import { MISC } from "./misc.mjs";
import { NEZHA } from "./nezha.mjs";
import { PATH } from "./path.mjs";
import { REMAP } from "./remap.mjs";
import { ROPE } from "./rope.mjs";
import { SINUSOIDAL } from "./sinusoidal.mjs";
import { SWIN_V2 } from "./swin-v2.mjs";
import { FOPE, GRAPE_M } from "./transforms-text.mjs";
import { LIERE, ROPE_MIXED, STRING } from "./transforms.mjs";

export const MAPPINGS = {
  rope: ROPE,
  accuracy: ROPE,
  sinusoidal: SINUSOIDAL,
  alibi: ALIBI,
  attention: ATTENTION,
  misc: MISC,
  grad: GRAD,
  bias: BIAS,
  remap: REMAP,
  forget: FORGET,
  ddalibi: DDALIBI,
  path: PATH,
  grape: [...GRAPE_ADDITIVE, ...GRAPE_M],
  nezha: NEZHA,
  logn: LOGN,
  glm2d: GLM2D,
  "swin-v2": SWIN_V2,
  "rope-mixed": ROPE_MIXED,
  fope: FOPE,
  liere: LIERE,
  string: STRING,
};

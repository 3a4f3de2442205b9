// The mapping table: group → list of {matches(case), run(pe, case)}. The first entry that matches runs the case;
// `run` returns one function per output name, which gives {data, dims}. Cases are told apart by the names of their
// parameters and inputs, never by their own name, so that other cases of the same formula work unchanged.
import { ALIBI } from "./alibi.mjs";
import { ATTENTION } from "./attention.mjs";
import { BIAS } from "./bias.mjs";
import { GRAD } from "./grad.mjs";
import { MISC } from "./misc.mjs";
import { REMAP } from "./remap.mjs";
import { ROPE } from "./rope.mjs";
import { SINUSOIDAL } from "./sinusoidal.mjs";
import { FOPE, GRAPE_M } from "./turning-texts.mjs";
import { LIERE, ROPE_MIXED, STRING } from "./turning.mjs";

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
  "rope-mixed": ROPE_MIXED,
  fope: FOPE,
  grape: [...GRAPE_M],
  liere: LIERE,
  string: STRING,
};

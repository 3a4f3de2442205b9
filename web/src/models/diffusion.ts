// Diffusion: the step of the noise is a position, too.
import { named } from "./model.js";

export const diffusion = named({
  "ddpm-timestep": {
    name: "DDPM, time step",
    family: "DDPM",
    modality: "image",
    year: 2020,
    source: "arXiv:2006.11239",
    spec: { kind: "sinusoidal", dim: 128, pairing: "concat", frequencyShift: 1 },
    contextLength: 1000,
    unchecked: ["spec", "contextLength"],
  },
  "stable-diffusion-1.5-timestep": {
    name: "Stable Diffusion 1.5, time step",
    family: "Stable Diffusion",
    modality: "image",
    year: 2021,
    source: "arXiv:2112.10752",
    spec: { kind: "sinusoidal", dim: 320, pairing: "concat", order: "cos-sin" },
    contextLength: 1000,
    unchecked: ["spec", "contextLength"],
  },
  "dit-xl-2-timestep": {
    name: "DiT-XL/2, time step",
    family: "DiT",
    modality: "image",
    year: 2022,
    source: "arXiv:2212.09748",
    spec: { kind: "sinusoidal", dim: 256, pairing: "concat", order: "cos-sin" },
    contextLength: 1000,
    unchecked: ["contextLength"],
  },
  "dit-xl-2": {
    name: "DiT-XL/2, patches",
    family: "DiT",
    modality: "image",
    year: 2022,
    source: "arXiv:2212.09748",
    spec: { kind: "sinusoidal-2d", dim: 1152, pairing: "concat", axisOrder: "xy" },
    contextLength: null,
    unchecked: ["spec"],
  },
});

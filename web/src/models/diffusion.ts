// Diffusion: the noise step is a position, too.
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
    checked: ["hojonathanho/diffusion:scripts/run_cifar.py", "hojonathanho/diffusion:diffusion_tf/nn.py"],
    unchecked: [],
  },
  "stable-diffusion-1.5-timestep": {
    name: "Stable Diffusion 1.5, time step",
    family: "Stable Diffusion",
    modality: "image",
    year: 2021,
    source: "arXiv:2112.10752",
    spec: { kind: "sinusoidal", dim: 320, pairing: "concat", order: "cos-sin" },
    contextLength: 1000,
    checked: ["CompVis/stable-diffusion:configs/stable-diffusion/v1-inference.yaml"],
    unchecked: [],
  },
  "dit-xl-2-timestep": {
    name: "DiT-XL/2, time step",
    family: "DiT",
    modality: "image",
    year: 2022,
    source: "arXiv:2212.09748",
    spec: { kind: "sinusoidal", dim: 256, pairing: "concat", order: "cos-sin" },
    contextLength: 1000,
    checked: ["facebookresearch/DiT:models.py", "facebookresearch/DiT:diffusion/__init__.py"],
    unchecked: [],
  },
  "dit-xl-2": {
    name: "DiT-XL/2, patches",
    family: "DiT",
    modality: "image",
    year: 2022,
    source: "arXiv:2212.09748",
    spec: { kind: "sinusoidal-2d", dim: 1152, pairing: "concat", axisOrder: "xy" },
    contextLength: null,
    checked: ["facebookresearch/DiT:models.py"],
    unchecked: [],
  },
});

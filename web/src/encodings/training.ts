// What training takes and gives: gradients and the steps of an optimizer.
import type {
  ApplyBiasOptions,
  At,
  AttentionOptions,
  DropoutOptions,
  LayoutOption,
  LogitsOptions,
  RoleOption,
  Tensor,
  TensorLike,
} from "../base/types.js";

/** What the optimizers share, as in PyTorch's `torch.optim`. */
interface AnyStepOptions {
  learningRate: number;
  /** Default 0 (adamw: 0.01). `adamw` shrinks the numbers by it, the others add it to the gradient. */
  weightDecay?: number;
}

export interface SgdOptions extends AnyStepOptions {
  optimizer: "sgd";
  /** Share of the last step that goes on, in [0, 1). Default 0. */
  momentum?: number;
  /** Looks ahead by the momentum. Default false. */
  nesterov?: boolean;
}

export interface AdamOptions extends AnyStepOptions {
  optimizer: "adam" | "adamw";
  /** How slowly the means of gradients and of their squares change, in [0, 1). Default [0.9, 0.999]. */
  betas?: readonly [number, number];
  /** Added to the root of the mean square. Default 1e-8. */
  epsilon?: number;
}

/** One step of an optimizer. */
export type StepOptions = SgdOptions | AdamOptions;

/** How a gradient reaches the rows of a learned table. */
export interface ScatterOptions extends At, DropoutOptions {
  /** This row learns nothing: PyTorch's `padding_idx`. Position p reads row p + `start` (0 for most tables). */
  paddingIndex?: number;
  /** A row that the call reads n times gets 1/n of each gradient: PyTorch's `scale_grad_by_freq`. Default false. */
  scaleByFrequency?: boolean;
}

export interface BiasBackwardOptions extends ApplyBiasOptions {
  /** The scores that `applyTo` was given; needed by kinds that weigh them (`kerple`, form "weighted"). */
  scores?: TensorLike;
}

export interface RotaryBackwardOptions extends At, LayoutOption, RoleOption {}

/** The gradients of attention's inputs, each with the dims of its input; `bias`, `sinks` and `gateKeys` where given. */
export interface AttentionGradients<T extends TensorLike = Tensor> {
  q: T;
  k: T;
  v: T;
  bias?: T;
  /** [Hq] */
  sinks?: T;
  gateKeys?: T;
}

/** Tensors to write the gradients of attention into; none may be an input. */
export interface GradientsOut {
  out: Partial<AttentionGradients<TensorLike>>;
}

export interface AttentionBackwardOptions extends AttentionOptions, Partial<GradientsOut> {}

/** The gradients of logits. */
export type LogitsGradients<T extends TensorLike = Tensor> = Pick<AttentionGradients<T>, "q" | "k" | "gateKeys">;

/** Tensors to write the gradients of logits into; none may be an input. */
export interface LogitsGradientsOut {
  out: Partial<LogitsGradients<TensorLike>>;
}

export interface LogitsBackwardOptions extends LogitsOptions, Partial<LogitsGradientsOut> {}

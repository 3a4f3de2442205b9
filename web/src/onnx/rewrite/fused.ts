// Fused attention: where its operators have their inputs.
import type { Step } from "../read/flow.js";

/** Inputs of an operator by index, and the dims of tokens in queries, keys and past keys. */
interface FusedInputs {
  /** Mask or bias that is added to the scores. */
  readonly mask: number;
  /** 0: queries, keys and values are in one tensor. */
  readonly key: number;
  readonly pastKey: number;
  readonly pastValue: number;
  readonly tokens: number;
  readonly pastTokens: number;
  /** Whether the mask may be boolean. */
  readonly hasFlags?: boolean;
}

const all: Readonly<Record<string, FusedInputs>> = {
  "com.microsoft GroupQueryAttention": { mask: 10, key: 1, pastKey: 3, pastValue: 4, tokens: 1, pastTokens: 2 },
  "com.microsoft MultiHeadAttention": { mask: 5, key: 1, pastKey: 6, pastValue: 7, tokens: 1, pastTokens: 2 },
  "com.microsoft Attention": { mask: 5, key: 0, pastKey: 4, pastValue: 4, tokens: 1, pastTokens: 3 },
  " Attention": { mask: 3, key: 1, pastKey: 4, pastValue: 5, tokens: 2, pastTokens: 2, hasFlags: true },
};

/** Name of an operator with its domain, " Attention" for the standard one. */
export const fusedName = ({ node, op }: Step): string => `${node.domain} ${op}`;

/** Returns the inputs of an operator; undefined: they are unknown. */
export const fusedInputs = (step: Step): FusedInputs | undefined => all[fusedName(step)];

/** What helps if an operator cannot be changed. */
export const exportEager = "export the model without fused attention (attn_implementation eager)";

// What was measured with the small language models.
import measuredJson from "../../lab/measured.json";

/** Pairs of a length and the mean loss; pairs of a distance and the share of characters that were found. */
export interface Measurement {
  loss: [length: number, nats: number][];
  needle: [distance: number, share: number][];
}

/** By model and rule: "default", "yarn-4", "selfextend-8-64". */
export const measured = measuredJson as unknown as Record<string, Record<string, Measurement>>;

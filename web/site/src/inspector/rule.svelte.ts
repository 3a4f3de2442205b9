// The change that the reader chooses, with the values of all changes, so that going back finds them again.
import type { ModelReading } from "./inspect.task.ts";
import type { ChangeName, ChangeRequest } from "./reading.ts";

/** What a change's number is. */
export type Quantity = "factor" | "base" | "length" | "window" | "rerope";

const quantities: Partial<Record<ChangeName, Quantity>> = {
  base: "base",
  length: "length",
  resize: "length",
  window: "window",
  rerope: "rerope",
};

export class Rule {
  name = $state<ChangeName>("fix");
  originalLength = $state(4096);
  values = $state<Record<Quantity, number>>({ factor: 4, base: 500000, length: 8192, window: 4096, rerope: 3072 });

  constructor({ offers, trainedLength = 4096 }: ModelReading) {
    this.name = offers[0];
    this.originalLength = trainedLength;
    this.values.window = trainedLength;
    // As in the library's guide: three quarters leave room for the distances beyond.
    this.values.rerope = Math.max(1, Math.floor(0.75 * trainedLength));
  }

  get quantity(): Quantity {
    return quantities[this.name] ?? "factor";
  }

  get request(): ChangeRequest {
    return { name: this.name, value: this.values[this.quantity], originalLength: this.originalLength };
  }
}

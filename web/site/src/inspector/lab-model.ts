// A small language model of characters with all its files, for readers who have none at hand.
import { bytes, files } from "virtual:small-model";

export const labSize = bytes;

export const labFiles = (): Promise<File[]> =>
  Promise.all(
    Object.entries(files).map(async ([name, address]) => {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
      return new File([await response.blob()], name);
    }),
  );

/** Whether it is this model: it reads English alone. */
export const isLabModel = (model: File): boolean => model.name === Object.keys(files)[0];

// What this machine can do at most, measured by a small module that does nothing else; limits.wat is its text.

const moduleText =
  "AGFzbQEAAAABDQJgA39/fQBgAn99AX0CDwEDb3duBm1lbW9yeQIAAQMEAwAAAQcaAwhtdWx0aXBseQAABGZpbGwAAQRwZWFrAAIKywIDXgEB" +
  "eyAC/RMhAwNAIAAgAP0ABAAgA/3mAf0LBAAgACAA/QAEECAD/eYB/QsEECAAIAD9AAQgIAP95gH9CwQgIAAgAP0ABDAgA/3mAf0LBDAgAEHA" +
  "AGoiACABSQ0ACws6AQF7IAL9EyEDA0AgACAD/QsEACAAIAP9CwQQIAAgA/0LBCAgACAD/QsEMCAAQcAAaiIAIAFJDQALC64BAQl7IAH9EyEC" +
  "A0AgAyAC/eYBIAL95AEhAyAEIAL95gEgAv3kASEEIAUgAv3mASAC/eQBIQUgBiAC/eYBIAL95AEhBiAHIAL95gEgAv3kASEHIAggAv3mASAC" +
  "/eQBIQggCSAC/eYBIAL95AEhCSAKIAL95gEgAv3kASEKIABBAWsiAA0ACyADIAT95AEgBf3kASAG/eQBIAf95AEgCP3kASAJ/eQBIAr95AH9" +
  "HwAL";

export interface Machine {
  /** Multiplies that many bytes in place: all of them are read and written. */
  multiply(bytes: number): void;
  /** Writes that many bytes. */
  fill(bytes: number): void;
  /** Multiplies and adds in registers alone: 64 operations a step. */
  peak(steps: number): void;
  /** Copies the first half of that many bytes into the second: each byte is read or written. */
  copy(bytes: number): void;
}

interface Exports {
  multiply(at: number, end: number, factor: number): void;
  fill(at: number, end: number, value: number): void;
  peak(steps: number, factor: number): number;
}

export const operationsPerStep = 64;
const page = 65536;
// So near to 1 that the numbers stay what they are for a million runs.
const factor = 0.99999994;

/** Undefined where the browser has no SIMD. `bytes`: the most that will be asked for. */
export function startMachine(bytes: number): Machine | undefined {
  const code = Uint8Array.from(atob(moduleText), (character) => character.charCodeAt(0));
  if (!WebAssembly.validate(code)) return undefined;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / page) });
  new Float32Array(memory.buffer).fill(1);
  const instance = new WebAssembly.Instance(new WebAssembly.Module(code), { own: { memory } });
  const { multiply, fill, peak } = instance.exports as unknown as Exports;
  const all = new Uint8Array(memory.buffer);
  return {
    multiply: (count) => multiply(0, count, factor),
    fill: (count) => fill(0, count, 1),
    peak: (steps) => void peak(steps, 0.5),
    copy: (count) => void all.copyWithin(count / 2, 0, count / 2),
  };
}

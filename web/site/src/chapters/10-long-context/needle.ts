// The game of the needle: who can look for it, how far away it can be hidden.
import type { NeedleFound } from "../../lab/needle.ts";
import { evenNumbers } from "../../lib/random.ts";
import { factors, runnerOf, type Entrant, type Runner } from "../../lab/arena.ts";

/** Those of the arena that run in the page and can read that far. */
export const seekers = [
  "sinusoidal",
  "t5",
  "alibi",
  "rope",
  "stretched",
  "linear",
  "ntk",
  "yarn",
  "dynamic",
  "window",
  "self-extend",
  "rerope",
  "tuned",
] as const satisfies readonly Entrant[];

export interface NeedleSettings {
  seeker: (typeof seekers)[number];
  factor: (typeof factors)[number];
  /** Of the key, by its place in `distances`. */
  far: number;
  key: number;
}

export interface Try {
  who: string;
  key: string;
  distance: number;
  found: NeedleFound;
}

export const keyLength = 16;

/** Its keys were hidden at these distances when the models were measured. */
export const distances = [32, 64, 96, 128, 160, 192, 208, 256, 320, 384, 512, 768, 1024, 1536, 2048, 3072, 4096];

/** As keys were in the measurement: random small letters. */
export function randomKey(seed: number): string {
  const even = evenNumbers(seed);
  return Array.from({ length: keyLength }, () => String.fromCharCode(97 + Math.floor(even() * 26))).join("");
}

export const seekerOf = ({ seeker, factor }: Pick<NeedleSettings, "seeker" | "factor">): Runner =>
  runnerOf(seeker, "en", Number(factor))!;

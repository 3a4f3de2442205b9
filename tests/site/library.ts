// The library that tests compare figures with, as Node has it. What a test makes, it gives back.
import { init } from "posenc";
import { afterAll, expect } from "vitest";

export const pe = await init();

afterAll(() => expect(pe.liveBytes).toBe(0));

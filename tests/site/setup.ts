// Around each test file, while workers go on with what they have: a browser, the library, all modules.
import { afterAll, expect } from "vitest";
import { closePages } from "./browser.ts";
import { pe } from "./library.ts";

afterAll(closePages);
// What a test makes, it gives back.
afterAll(() => expect(pe.liveBytes).toBe(0));

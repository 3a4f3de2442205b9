// Before the tests of each file.
import { expect } from "vitest";
import { equalBytes } from "./equal-bytes";

expect.addEqualityTesters([equalBytes]);

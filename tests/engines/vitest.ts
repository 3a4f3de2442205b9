// What stands for "vitest" where the test files run in a page or a worker of any browser: its own runner and matchers,
// without its server.
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  addCustomEqualityTesters,
  chai,
  getState,
  setState,
} from "@vitest/expect";
import type { ExpectStatic } from "@vitest/expect";
import { equalBytes } from "../js/helpers/equal-bytes";

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from "@vitest/runner";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
addCustomEqualityTesters([equalBytes]);

let assertions = 0;
export const countAssertions = (): void => void (assertions = 0);
export const assertionCount = (): number => assertions;

const bare = (value: unknown, message?: string) => {
  assertions++;
  return chai.expect(value, message);
};
const matchers = (globalThis as unknown as Record<symbol, object>)[ASYMMETRIC_MATCHERS_OBJECT]!;
export const expect = Object.assign(bare, chai.expect, matchers) as unknown as ExpectStatic;
expect.getState = () => getState(expect);
expect.setState = (state) => setState(state, expect);
setState({ assertionCalls: 0 }, expect);

// Is the formula right? Every golden case through the runner's core: all are supported, and must pass.
import { describe, expect, it } from "vitest";
import { runCase } from "../golden/cases.mjs";
import { goldenCases } from "./helpers/fixtures";
import { pe } from "./helpers/library";

describe.each([...goldenCases.keys()])("%s", (name) => {
  it("agrees with the reference", () => {
    const json = goldenCases.get(name);
    const before = JSON.stringify(json);
    const report = runCase(pe, json);
    expect(JSON.stringify(json) === before, "the case is left as it was").toBe(true);
    const wrong = report.outputs.filter((output) => !output.ok);
    expect({ status: report.status, reason: report.reason, wrong }).toEqual({ status: "pass", wrong: [] });
  });
});

it("all fixtures are there", () => {
  expect(goldenCases.size).toBe(240);
});

// Does npm test fail when it should?
import { expect, describe, it } from "vitest";
import { isStrict, lanes } from "../lanes.mjs";

const told: string[] = [];
const log = (text: string) => void told.push(text);

describe("the lanes of npm test", () => {
  it("count what has passed and failed", async () => {
    const { totals, count, lane } = lanes(log);
    count("one", 3, 0);
    await lane("two", async () => count("two", 2, 1));
    expect(totals).toEqual({ lanes: 2, passed: 5, failed: 1 });
  });

  it("fail where nothing ran", async () => {
    const { totals, count, lane } = lanes(log);
    count("empty", 0, 0);
    await lane("silent", async () => undefined);
    expect(totals).toEqual({ lanes: 2, passed: 0, failed: 2 });
    expect(told.at(-1)).toMatch(/^silent: 0 passed, 0 failed: it ran nothing/);
  });

  it("fail where a lane throws, and the next one still runs", async () => {
    const { totals, count, lane } = lanes(log);
    await lane("breaks", async () => {
      throw new Error("no compiler");
    });
    await lane("next", async () => count("next", 1, 0));
    expect(totals).toEqual({ lanes: 2, passed: 1, failed: 1 });
    expect(told).toContain("breaks: no compiler");
  });

  it("say in the end what has failed, and where, in a few lines each", async () => {
    const { count, lane, summary } = lanes(log);
    count("good", 3, 0, ["said, but nothing has failed"]);
    expect(summary()).toEqual([]);
    count("tests", 1, 1, [`\u001b[31ma/b.test.ts: adds\u001b[39m\n\n${"line\n".repeat(100)}`]);
    count("silent", 0, 1);
    await lane("breaks", async () => {
      throw new Error("no compiler");
    });
    count("many", 0, 100, Array<string>(100).fill("again"));
    const failures = summary();
    expect(failures[0]).toMatch(/^ {2}failed: tests: a\/b\.test\.ts: adds\n {4}line\n/);
    expect(failures[0]!.split("\n").length).toBeLessThan(20);
    expect(failures.slice(1, 3)).toEqual(["  failed: silent: see above", "  failed: breaks: no compiler"]);
    expect(failures.length).toBeLessThan(40);
    expect(failures.at(-1)).toMatch(/and \d+ more/);
  });

  it("fail under CI where something is not here, and say so elsewhere", () => {
    const [here, there] = [lanes(log, { strict: true }), lanes(log, { strict: false })];
    for (const { lacks } of [here, there]) lacks("fuzzing", "libFuzzer");
    expect(here.totals.failed).toBe(1);
    expect(there.totals.failed).toBe(0);
    expect(told.at(-1)).toMatch(/libFuzzer.*under CI/);
  });

  it.each([
    [{ CI: "true" }, true],
    [{ CI: "1" }, true],
    [{ CI: "false" }, false],
    [{ CI: "" }, false],
    [{}, false],
  ])("%j is CI: %s", (environment, strict) => expect(isStrict(environment)).toBe(strict));
});

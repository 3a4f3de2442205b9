// The bench at tiny sizes, without its peers: that all of it runs and is right. How fast things are is no matter of tests.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBench } from "../bench/bench.mjs";
import { cases } from "../bench/cases/index.mjs";
import { contenderNames, startContenders } from "../bench/contenders/index.mjs";
import { onnxModel } from "../../examples/transformers/models/onnx.js";
import { efforts } from "../bench/measure.mjs";
import { assemblePage } from "../bench/page/assemble.mjs";
import { environment } from "../bench/environment-node.mjs";
import { reportText } from "../bench/report.mjs";
import { readSettings } from "../bench/settings.mjs";
import { verdicts } from "../bench/targets.mjs";
import { gpuBench } from "../bench/webgpu/browser.mjs";
import { gpuReport } from "../bench/webgpu/report.mjs";
import { inRoot, installDependencies } from "../../web/tasks/prepare.mjs";
import { serve } from "../../web/tasks/serve.mjs";
import { asCard, chromiumOptions } from "../js/chromium.mjs";

interface Way {
  contender: string;
  label: string;
  role: string;
  ms?: number;
  error?: number;
  fault?: string;
  tolerance?: number;
}
interface Result {
  id: string;
  group: string;
  ways: Way[];
  targets: { shown: string }[];
}

const names = ["posenc", "limits", "plain"];
/** What is compared there are kinds of one build. */
const mainBuildOnly = new Set(
  "attention-inside rope-new-place attention-turning attention-remap decode-remap cache-step rope-sixteen attention-sixteen".split(
    " ",
  ),
);

function expectComplete(results: Result[], builds: string[]): void {
  expect(results.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
  for (const { id, group, ways } of results) {
    expect(ways.length, id).toBeGreaterThan(0);
    for (const { contender, label, ms, error, fault, tolerance } of ways) {
      const name = `${id}: ${contender}, ${label}`;
      expect(fault, name).toBeUndefined();
      expect(ms, name).toBeGreaterThan(0);
      expect(Number.isFinite(ms), name).toBe(true);
      // Only the machine's limits compute nothing that could be wrong.
      if (contender !== "the machine") expect(error, name).toBeLessThan(tolerance ?? 1e-5);
    }
    const taking = new Set(ways.map(({ contender }) => contender));
    const isPartial = ["machine", "few-queries", "rope-layouts"].includes(group) || mainBuildOnly.has(id);
    if (isPartial || id.endsWith("-inside")) continue;
    for (const name of [...builds, "plain JavaScript"]) expect(taking, id).toContain(name);
  }
}

describe("the bench's page", () => {
  let browser: Browser;
  let folder = "";
  let server: { url: string; close: () => void };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "posenc-bench-"));
    await assemblePage(folder, { withPeers: false });
    server = await serve(folder);
    browser = await chromium.launch(chromiumOptions());
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("runs every case in every build, and all are right", async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(`${server.url}bench.html?contenders=${names.join()}&effort=smoke&tiny`);
    const { variant, cases: results } = (await page.evaluate("finished")) as { variant: string; cases: Result[] };
    expect(variant).toBe("relaxed");
    expectComplete(results, ["posenc relaxed", "posenc simd", "posenc scalar"]);
    expect(await page.locator("pre").innerText()).toContain("RoPE half");
    expect(complaints).toEqual([]);
  });
  it("times a start", async () => {
    const page = await browser.newPage();
    await page.goto(`${server.url}bench.html?start=posenc`);
    expect(await page.evaluate("finished")).toBeGreaterThan(0);
  });
});

describe("the bench in Node", () => {
  const options = { effort: efforts.smoke, isTiny: true, variant: "simd" };

  it("runs every case, is right, and writes a report", async () => {
    const results = (await runBench(await startContenders(names, "simd", environment), options)) as Result[];
    expectComplete(results, ["posenc simd", "posenc scalar"]);
    const text = reportText({ engine: "Node", cpu: "CPU", variant: "simd", rounds: 1, cases: results });
    expect(text).toMatch(/## Targets: \d+ met, \d+ missed/);
    expect(text).not.toMatch(/undefined|NaN/);
  });
  it("does not time what is wrong or fails", async () => {
    const truth = (given: { truth: { y: { values: Float64Array } } }) => Float32Array.from(given.truth.y.values);
    const way = (label: string, first: () => unknown) => ({ contender: "x", label, role: label, first, run() {} });
    const contender = {
      name: "x",
      ways: (given: never) => ({
        list: [
          way("right", () => ({ y: truth(given) })),
          way("wrong", () => ({ y: truth(given).map((value, i) => (i === 7 ? value + 0.01 : value)) })),
          way("short", () => ({ y: truth(given).subarray(1) })),
          way("NaN", () => ({ y: truth(given).fill(NaN, 3, 4) })),
          way("broken", () => {
            throw new Error("no such operator");
          }),
        ],
        end() {},
      }),
    };
    const [result] = (await runBench([contender], { ...options, only: ["rope-short-half"] })) as Result[];
    expect(result!.ways.map(({ label, fault, ms }) => [label, fault, ms !== undefined])).toEqual([
      ["right", undefined, true],
      ["wrong", "wrong: off by 0.010", false],
      ["short", "wrong: off by Infinity", false],
      ["NaN", "wrong: off by Infinity", false],
      ["broken", "failed: no such operator", false],
    ]);
  });
});

describe("the bench of the GPU", () => {
  const labels = ["gpu.rotate", "gpu.rotate, one token", "gpu.rerotate", "gpu.add", "gpu.tables", "gpu.bias"];
  it("compares every call with the CPU, and RotaryEmbedding, too; a software adapter is not timed", async () => {
    await installDependencies(inRoot("examples", "transformers"));
    const peer = inRoot("examples", "transformers", "node_modules", "onnxruntime-web");
    const { adapter, isSoftware, ways } = await gpuBench({ effort: "smoke", peer, isTiny: true });
    expect(ways.map(({ label }) => label)).toEqual([
      ...labels,
      "onnxruntime-web RotaryEmbedding",
      "copyBufferToBuffer",
    ]);
    for (const { label, error, fault, ms } of ways) {
      expect(fault, label).toBeUndefined();
      if (label !== "copyBufferToBuffer") expect(error, label).toBeLessThan(1e-6);
      expect(ms === undefined, label).toBe(isSoftware);
    }
    const text = gpuReport({ adapter, isSoftware, rounds: 1, ways });
    if (isSoftware) {
      expect(text).toContain(`no GPU here: software adapter ${adapter}; checked, not timed`);
      expect(text).not.toMatch(/GB\/s| ms| µs/);
    } else expect(text).toMatch(/copyBufferToBuffer \|.+ GB\/s/);
  });

  it("times what calls itself a GPU", async () => {
    const measured = await gpuBench({ effort: "smoke", peer: undefined, isTiny: true, before: asCard });
    expect(measured.isSoftware).toBe(false);
    expect(measured.ways.map(({ label }) => label)).toEqual([...labels, "copyBufferToBuffer"]);
    for (const { label, ms } of measured.ways) expect(ms, label).toBeGreaterThan(0);
    expect(gpuReport(measured)).toMatch(/gpu.rotate \|.+ GB\/s/);
  });

  it("tells speeds of a GPU alone, beside a copy", () => {
    const ways = [
      { label: "gpu.rotate", bytes: 2e9, ms: 20, spread: 0.1, error: 1e-7 },
      { label: "gpu.add", bytes: 2e9, error: 1, fault: "wrong: off by 1.0" },
      { label: "copyBufferToBuffer", bytes: 2e9, ms: 16, spread: 0 },
    ];
    const text = gpuReport({ adapter: "card", isSoftware: false, rounds: 9, ways });
    expect(text).toContain("| gpu.rotate | 20.0 ms | 100 GB/s | 0.800 × | 10 % | 1e-7 |");
    expect(text).toContain("| gpu.add | wrong: off by 1.0 |  |  |  |  |");
    expect(text).toContain("| copyBufferToBuffer | 16.0 ms | 125 GB/s | 1.00 × | 0 % |  |");
    expect(gpuReport({ adapter: "none" })).toContain("no WebGPU here");
  });
});

describe("targets", () => {
  const ways = [
    { contender: "posenc simd", label: "pe.tensor", role: "tensor", ms: 2 },
    { contender: "ort", label: "slow", role: "onnx", ms: 60 },
    { contender: "ort", label: "fast", role: "onnx", ms: 50 },
    { contender: "the machine", label: "fill", role: "store", ms: 1.7 },
  ];
  const size = { elements: 1e6 };
  const rate = { amount: ({ elements }: typeof size) => elements };
  const judge = (target: object, variant = "simd") =>
    verdicts({ targets: [{ of: "tensor", ...target }], rate, size }, ways, variant)[0]!;

  it("are held against the fastest way of a role", () => {
    expect(judge({ against: "onnx", faster: 25 })).toMatchObject({ met: true, shown: "25.0 ×" });
    expect(judge({ against: "onnx", faster: 26 })).toMatchObject({ met: false });
    expect(judge({ against: "store", atMost: 1.2 })).toMatchObject({ met: true, shown: "1.18 ×" });
    expect(judge({ against: "store", share: 0.9 })).toMatchObject({ met: false, shown: "0.850" });
    expect(judge({ nsAnElement: 1.9 })).toMatchObject({ met: false, shown: "2.00 ns" });
    expect(judge({ microseconds: 2000 })).toMatchObject({ met: true });
  });
  it("may differ for the relaxed build, and tell what was not measured", () => {
    expect(judge({ against: "onnx", faster: 20, relaxed: 30 })).toMatchObject({ met: true });
    expect(judge({ against: "onnx", faster: 20, relaxed: 30 }, "relaxed")).toMatchObject({ met: false });
    expect(judge({ against: "plain", faster: 8 })).toMatchObject({ shown: "not measured" });
    expect(judge({ against: "plain", faster: 8 })).not.toHaveProperty("met");
  });
});

describe("the bench's command line", () => {
  it("chooses cases and contenders, and refuses what it does not know", () => {
    expect(readSettings([])).toEqual({
      only: [],
      contenders: contenderNames,
      effort: "full",
      browser: false,
      webgpu: false,
      dawn: false,
    });
    expect(readSettings(["--only", "rope,attention-full", "--quick", "--contenders", "posenc"])).toEqual({
      only: ["rope", "attention-full"],
      contenders: ["posenc"],
      effort: "quick",
      browser: false,
      webgpu: false,
      dawn: false,
    });
    expect(readSettings(["--webgpu"])).toMatchObject({ webgpu: true });
    expect(readSettings(["--dawn"])).toMatchObject({ dawn: true });
    expect(() => readSettings(["--only", "ropes-of-sand"])).toThrow("--only ropes-of-sand: no case or group");
    expect(() => readSettings(["--contenders", "ggml"])).toThrow("--contenders ggml: known are posenc");
  });
});

it("ONNX models are written as onnx.proto3 says", () => {
  const bytes = onnxModel({
    inputs: { x: { data: new Float32Array(300), dims: [300] }, n: { type: "int64", dims: ["B", 2] } },
    constants: { c: { data: Float32Array.of(1), dims: [1] } },
    outputs: { y: [300], h: { type: "float16", dims: [1] } },
    nodes: [{ op: "Mul", domain: "d", inputs: ["x", "c"], outputs: ["y"], attributes: { axis: -1, e: { float: 1 } } }],
  });
  const expected = [
    "080a", // ir_version 10
    "3a9801", // graph
    "0a34 0a0178 0a0163 120179 22034d756c", // node: inputs, output, op_type "Mul"
    "2a14 0a0461786973 18ffffffffffffffffff01 a00102", // attribute axis = -1, INT
    "2a0b 0a0165 150000803f a00101", // attribute e = 1.0, FLOAT
    "3a0164", // domain
    "1206706f73656e63", // name "posenc"
    "2a0d 0801 1001 420163 4a040000803f", // initializer: dims, FLOAT, name, raw_data
    "5a10 0a0178 120b0a09080112050a0308ac02", // input x [300]
    "5a14 0a016e 120f0a0d0807 1209 0a03120142 0a020802", // input n ["B", 2], INT64
    "6210 0a0179 120b0a09080112050a0308ac02", // output y [300]
    "620f 0a0168 120a0a08080a12040a020801", // output h [1], FLOAT16
    "4204 0a00 1017", // opset 23
    "4211 0a0d636f6d2e6d6963726f736f6674 1001", // com.microsoft 1
  ];
  expect(Buffer.from(bytes).toString("hex")).toBe(expected.join("").replaceAll(" ", ""));
});

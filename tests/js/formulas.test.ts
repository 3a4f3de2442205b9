// Are the library's frequencies, slopes and buckets those of the papers? Against formulas written down on their own, which
// are themselves held against lists that the original code made.
import type { AlibiBias, BucketBias, BucketRelative, RotaryEncoding } from "posenc";
import { describe, expect, it } from "vitest";
import { goldenCase } from "./helpers/fixtures";
import {
  alibiSlopes,
  debertaBucket,
  ropeFrequencies,
  ropeKinds,
  ropeMagnitude,
  shawRow,
  swinRow,
  t5Bucket,
} from "./helpers/formulas";
import { createAny, createBias, createRelative, descriptions, ofFamily } from "./helpers/library";
import type { Spec } from "./helpers/library";
import { range } from "./helpers/numbers";
import { anySpec, Random } from "./helpers/random-spec";

const listOf = (name: string, array: string): number[] => {
  const { inputs, targets } = goldenCase(name);
  return Array.from((inputs[array] ?? targets[array]!.array).data, Number);
};

describe("the formulas here are the originals'", () => {
  it.each([
    ["uni-32-128", false, 32, 128],
    ["uni-16-20", false, 16, 20],
    ["bi-32-128", true, 32, 128],
    ["bi-64-256", true, 64, 256],
    ["bi-320-800", true, 320, 800],
  ])("T5's buckets %s", (name, bidirectional, buckets, maxDistance) => {
    const spec = { kind: "t5", bidirectional, buckets, maxDistance };
    const distances = listOf(`bias/t5-bucket-${name}`, "relative_position");
    expect(distances.map((distance) => t5Bucket(distance, spec))).toEqual(listOf(`bias/t5-bucket-${name}`, "bucket"));
  });

  it.each([
    ["32-128", 32, 128],
    ["256-512", 256, 512],
  ])("DeBERTa's buckets %s", (name, buckets, maxDistance) => {
    const distances = listOf(`bias/deberta-logbucket-${name}`, "relative_position");
    const spec = { kind: "deberta", buckets, maxDistance };
    expect(distances.map((distance) => debertaBucket(distance, spec))).toEqual(
      listOf(`bias/deberta-logbucket-${name}`, "bucket_hf"),
    );
  });

  it.each(["swin-3x4-h2", "swin-4x4-h3", "beit-3x4-h2", "beit-4x4-h3"])("Swin's rows, %s", (name) => {
    const [windowHeight, windowWidth] = goldenCase(`bias/${name}`).params["window_size"] as [number, number];
    const spec = { kind: "swin", windowHeight, windowWidth, classToken: name.startsWith("beit") };
    const indices = range(windowHeight * windowWidth + Number(spec.classToken));
    const rows = indices.flatMap((query) => indices.map((key) => swinRow(query, key, spec)));
    expect(rows).toEqual(listOf(`bias/${name}`, "relative_position_index"));
  });

  it.each([1, 2, 3, 6, 7, 8, 12, 71])("ALiBi's slopes of %d heads", (heads) => {
    const slopes = listOf("alibi/slopes", `h${heads}`);
    alibiSlopes({ kind: "alibi", heads }).forEach((slope, h) => expect(slope / slopes[h]!).toBeCloseTo(1, 6));
  });
});

/** `count` valid specs of a kind with the encodings they make. */
function specsOf<T>(kind: string, count: number): [Spec, T][] {
  const description = descriptions.find((candidate) => candidate.kind === kind)!;
  const random = new Random(77);
  const made: [Spec, T][] = [];
  for (let tries = 0; made.length < count && tries < 60 * count; tries++) {
    const spec = anySpec(random, description) as Spec;
    try {
      made.push([spec, createAny(spec) as T]);
    } catch (error) {
      if ((error as { code?: string }).code !== "invalid-spec") throw error;
    }
  }
  expect(made.length, `valid specs of ${kind}`).toBe(count);
  return made;
}

describe("rotations", () => {
  it("have a formula here, all but the axial ones, which tests/js/encodings/rotary.axes.test.ts has", () => {
    const others = ofFamily("rotary").filter(({ kind }) => !ropeKinds.includes(kind));
    expect(others.map(({ kind }) => kind)).toEqual(["rope-axial"]);
  });

  it.each(ropeKinds)("%s turns by the published frequencies, with the published magnitude", (kind) => {
    let compared = 0;
    for (const [spec, encoding] of specsOf<RotaryEncoding>(kind, 60)) {
      const rounded = spec["precision"] === "float32";
      for (const length of [1, 3000, 1e6]) {
        const wanted = ropeFrequencies(spec, length);
        const got = encoding.frequenciesAt(length);
        expect(got.length, JSON.stringify(spec)).toBe(wanted.length);
        wanted.forEach((frequency, k) => {
          const error = Math.abs(got[k]! - frequency);
          expect(error, `${JSON.stringify(spec)}, pair ${k} at ${length}`).toBeLessThanOrEqual(
            (rounded ? 4e-6 : 1e-11) * Math.abs(frequency),
          );
          compared++;
        });
      }
      expect(encoding.attentionFactor, JSON.stringify(spec)).toBeCloseTo(ropeMagnitude(spec), rounded ? 5 : 12);
    }
    expect(compared).toBeGreaterThan(100);
  });
});

describe("biases and relative positions", () => {
  it("ALiBi has the published slopes", () => {
    for (const [spec, { slopes }] of specsOf<AlibiBias>("alibi", 40)) {
      const wanted = alibiSlopes(spec);
      expect(slopes.length).toBe(wanted.length);
      wanted.forEach((slope, h) =>
        expect(Math.abs(slopes[h]! - slope), `${JSON.stringify(spec)}, head ${h}`).toBeLessThanOrEqual(
          2 ** -23 * slope + 2 ** -149,
        ),
      );
    }
  });

  it("T5 has the published buckets", () => {
    const distances = [...range(300).map((n) => n - 150), ...[1e3, 1e4, 1e6, 1e9].flatMap((far) => [far, -far])];
    for (const [spec, encoding] of specsOf<BucketBias>("t5", 30)) {
      const got = encoding.buckets({ queries: 1, keys: distances.length, offset: 0, keyPositions: distances }).data;
      expect([...got], JSON.stringify(spec)).toEqual(distances.map((distance) => t5Bucket(distance, spec)));
    }
  });

  it("DeBERTa has the published buckets", () => {
    const distances = range(1201).map((n) => n - 600);
    for (const change of [{ buckets: 8, maxDistance: 16 }, { buckets: 32, maxDistance: 128 }, { buckets: 256 }, {}]) {
      const spec = { kind: "deberta", dim: 4, heads: 1, ...change };
      const got = createRelative(spec).bucketOf(distances.map((distance) => -distance));
      expect([...got]).toEqual(distances.map((distance) => debertaBucket(distance, spec)));
    }
  });

  it("Swin and Shaw have the published rows", () => {
    for (const [spec, encoding] of specsOf<BucketBias>("swin", 10)) {
      const count =
        (spec["windowHeight"] as number) * (spec["windowWidth"] as number) + Number(spec["classToken"] ?? false);
      const indices = range(count);
      const got = encoding.buckets({ queries: count, keys: count }).data;
      expect([...got]).toEqual(indices.flatMap((query) => indices.map((key) => swinRow(query, key, spec))));
    }
    const wide = { windowHeight: 3, windowWidth: 4 };
    const indices = range(12);
    const got = createBias({ kind: "swin-v2", heads: 1, ...wide } as Spec) as unknown as BucketBias;
    const rows = indices.flatMap((query) => indices.map((key) => swinRow(query, key, wide as unknown as Spec)));
    expect([...got.buckets({ queries: 12, keys: 12 }).data]).toEqual(rows);
    const distances = range(101).map((n) => n - 50);
    for (const [spec, encoding] of specsOf<BucketRelative>("shaw", 20))
      expect([...encoding.bucketOf(distances)]).toEqual(distances.map((distance) => shawRow(distance, spec)));
  });
});

// M-RoPE's position ids of text, images and videos. The expected ids are written out.
import { describe, expect, it } from "vitest";
import { createRotary, loosely, pe } from "../helpers/library";
import { copyOf, expectSameBits, randomTensor } from "../helpers/numbers";
import { refusedAt } from "../helpers/refusals";

describe("mropePositionIds", () => {
  const rows = (segments: object[], options?: object) => {
    const { positions, delta, next } = pe.mropePositionIds(loosely(segments), loosely(options));
    return { ids: positions.axes.map((axis) => Array.from(axis, Number)), delta, next };
  };

  it("text alone counts on all axes", () => {
    expect(rows([{ text: 3 }])).toEqual({ ids: Array(3).fill([0, 1, 2]), delta: 0, next: 3 });
    expect(rows([])).toEqual({ ids: [[], [], []], delta: 0, next: 0 });
  });

  // The example of the Qwen2-VL code's own documentation: a video of 3 frames, 2 x 2 after merging, then 5 tokens.
  it("a video, then text", () => {
    const segments = [{ video: [3, 4, 4] }, { text: 5 }];
    expect(rows(segments, { mergeSize: 2, after: "maximum" })).toEqual({
      ids: [
        [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5, 6, 7],
        [0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 3, 4, 5, 6, 7],
        [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 3, 4, 5, 6, 7],
      ],
      delta: 8 - 17,
      next: 8,
    });
    const spatial = rows(segments, { mergeSize: 2 });
    expect(spatial.ids.map((axis) => axis.slice(12))).toEqual(Array(3).fill([2, 3, 4, 5, 6]));
    expect(spatial).toMatchObject({ delta: 7 - 17, next: 7 });
  });

  it("text, an image, text: both rules agree", () => {
    const segments = [{ text: 2 }, { image: [1, 2, 3] }, { text: 2 }];
    const expected = {
      ids: [
        [0, 1, 2, 2, 2, 2, 2, 2, 5, 6],
        [0, 1, 2, 2, 2, 3, 3, 3, 5, 6],
        [0, 1, 2, 3, 4, 2, 3, 4, 5, 6],
      ],
      delta: -3,
      next: 7,
    };
    expect(rows(segments)).toEqual(expected);
    expect(rows(segments, { after: "maximum" })).toEqual(expected);
  });

  it("decoding goes on at tokens + delta, also when vision is last", () => {
    expect(rows([{ text: 1 }, { video: [5, 2, 2] }])).toMatchObject({ delta: 6 - 21, next: 3 });
    expect(rows([{ text: 1 }, { video: [5, 2, 2] }], { after: "maximum" })).toMatchObject({ delta: 6 - 21, next: 6 });
  });

  it("frames as far apart as the interval says", () => {
    expect(rows([{ video: [3, 1, 1], interval: 25 }]).ids[0]).toEqual([0, 25, 50]);
    expect(rows([{ video: [4, 1, 1], interval: 0.5 }]).ids[0]).toEqual([0, 0, 1, 1]);
  });

  it("padding moves nothing, an offset everything", () => {
    expect(rows([{ padding: 2 }, { text: 2 }], { padding: 1 }).ids[0]).toEqual([1, 1, 0, 1]);
    expect(rows([{ padding: 2 }, { text: 2 }])).toMatchObject({ delta: 2 - 4, next: 2 });
    expect(rows([{ text: 1 }, { image: [1, 1, 2] }], { offset: 10 }).ids[2]).toEqual([10, 11, 12]);
  });

  it("int64, negative ones too", () => {
    const { positions } = pe.mropePositionIds([{ padding: 1 }, { text: 1 }], {
      type: "int64",
      padding: -2147483648,
      offset: 2147483647,
    });
    expect([...positions.data.subarray(0, 2)]).toEqual([-2147483648n, 2147483647n]);
  });
  it("int64, [3, T]", () => {
    const { positions } = pe.mropePositionIds([{ text: 2 }], { type: "int64" });
    expect(positions).toMatchObject({ type: "int64", dims: [3, 2], data: BigInt64Array.of(0n, 1n, 0n, 1n, 0n, 1n) });
    expect(positions.axes[0]).toEqual(BigInt64Array.of(0n, 1n));
  });

  it("each axis feeds a rotation", () => {
    const rope = createRotary({ kind: "rope", dim: 8 });
    const q = randomTensor([1, 1, 5, 8], 3);
    const { positions } = pe.mropePositionIds([{ text: 1 }, { image: [1, 2, 2] }]);
    expectSameBits(
      rope.apply(copyOf(q), { positions: positions.axes[1]! }).data,
      rope.apply(copyOf(q), { positions: [0, 1, 1, 2, 2] }).data,
    );
  });

  it.each([
    ["segments", { text: 3 }, {}],
    ["segments[0]", [{}], {}],
    ["segments[0]", [{ text: 1, image: [1, 1, 1] }], {}],
    ["sound", [{ sound: 3 }], {}],
    ["segments[1].text", [{ text: 1 }, { text: -1 }], {}],
    ["segments[0].image", [{ image: [2, 2] }], {}],
    ["segments[0].image", [{ image: [1, 3, 4] }], { mergeSize: 2 }],
    ["segments[0].video", [{ video: 4 }], {}],
    ["interval", [{ video: [1, 1, 1], interval: -1 }], {}],
    ["interval", [{ image: [1, 1, 1], interval: 2 }], {}],
    ["segments", [{ video: [3, 1, 1], interval: 2e9 }], {}],
    ["after", [{ text: 1 }], { after: "max" }],
    ["mergeSize", [{ text: 1 }], { mergeSize: "2" }],
  ])("refuses %s: %j %j", (field, segments, options) => {
    expect(() => pe.mropePositionIds(loosely(segments), loosely(options))).toThrow(refusedAt(field));
  });
});

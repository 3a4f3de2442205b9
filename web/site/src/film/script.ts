// The script of the film: which scene is on at what time, and which caption under it. Both languages keep these times.

/** Seconds of each caption; what a scene shows is told further in the chapter. */
export const scenes = [
  { name: "bag", chapter: "order", captions: [5.5, 5.5, 5] },
  { name: "count", chapter: "counting", captions: [6, 6, 6] },
  { name: "clocks", chapter: "sinusoidal", captions: [7, 6, 6] },
  { name: "rope", chapter: "rope", captions: [5.5, 6, 6.5] },
  { name: "end", captions: [4] },
] as const;

export type SceneName = (typeof scenes)[number]["name"];

/** What is seen under one caption. */
export interface Shot {
  scene: SceneName;
  /** Index of the caption in its scene. */
  caption: number;
  /** Seconds of the film. */
  start: number;
  end: number;
  /** When its scene begins and ends. */
  from: number;
  to: number;
}

const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);

/** All captions in the order of the film, which has no gaps. */
export const shots: Shot[] = scenes.flatMap(({ name, captions }, index) => {
  const from = sum(scenes.slice(0, index).map((scene) => sum(scene.captions)));
  const to = from + sum(captions);
  return captions.map((length, caption) => {
    const start = from + sum(captions.slice(0, caption));
    return { scene: name, caption, start, end: start + length, from, to };
  });
});

export const duration = shots.at(-1)!.end;

export const shotAt = (time: number): Shot => shots.find(({ end }) => time < end) ?? shots.at(-1)!;

/** Seconds that a scene takes to appear, and to make room for the next one. */
const fade = 0.4;

/** Where a link to a shot leads: its picture has appeared by then. */
export const entryOf = ({ start }: Shot): number => (start === 0 ? 0 : start + fade + 0.1);

export const firstOf = (scene: SceneName): Shot => shots.find((shot) => shot.scene === scene)!;

/** The moment of a shot at which all it shows is there: readers who want less motion see the film as these pictures. */
export const stillOf = ({ end }: Shot): number => end - fade;

/** From 0 to 1 as `time` goes from `from` to `to`, slowly at both ends. */
export function glide(time: number, from: number, to: number): number {
  const part = Math.max(0, Math.min(1, (time - from) / (to - from)));
  return part * part * (3 - 2 * part);
}

/** How much of a scene is to be seen; the first picture and the last one stay. */
export function presence(time: number, { from, to }: Shot): number {
  const appears = from === 0 ? 1 : glide(time, from, from + fade);
  return to === duration ? appears : Math.min(appears, 1 - glide(time, to - fade, to));
}

/** Minutes and seconds: 1:05. */
export function clockText(time: number): string {
  const seconds = Math.floor(time);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

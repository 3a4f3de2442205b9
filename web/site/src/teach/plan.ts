// The steps of the lesson: how many minutes each takes, and where its figure is; none for the break. The words are `plan.rows` of text.*.ts.

export const steps: { minutes: number; at?: string }[] = [
  { minutes: 8, at: "order#figure-words" },
  { minutes: 12, at: "counting#figure-strips" },
  { minutes: 12, at: "sinusoidal#figure-row" },
  { minutes: 9, at: "rotation#figure-apart" },
  { minutes: 7, at: "adding#figure-cosines" },
  { minutes: 5 },
  { minutes: 15, at: "rope#figure-hands" },
  { minutes: 7, at: "alibi#figure-reach" },
  { minutes: 10, at: "long-context#figure-unseen" },
  { minutes: 5, at: "long-context#figure-arena" },
];

const until = (count: number) => steps.slice(0, count).reduce((sum, { minutes }) => sum + minutes, 0);

/** From when until when each step goes. */
export const spans = steps.map((_, index) => [until(index), until(index + 1)] as const);

export const whole = until(steps.length);

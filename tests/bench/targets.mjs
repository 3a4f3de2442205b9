// What the library aims at, as data of the cases, held against what was measured. A target is about the ways of one
// case: { of: role, against: role, … } and one of
//   atMost: time at most this many times that of `against`        share: at least this share of its speed
//   faster: at least this many times as fast                      microseconds, nsAnElement: time at most this

/** The fastest measured way of a role. */
export const fastest = (ways, role) =>
  ways.filter((way) => way.role === role && way.ms !== undefined).toSorted((a, b) => a.ms - b.ms)[0];

const times = (x) => `${x.toPrecision(3)} ×`;

const kinds = {
  atMost: {
    figure: (own, other) => own / other,
    isMet: (x, goal) => x <= goal,
    text: (goal, to) => `≤ ${goal} × ${to}`,
    show: times,
  },
  share: {
    figure: (own, other) => other / own,
    isMet: (x, goal) => x >= goal,
    text: (goal, to) => `≥ ${goal} of the speed of ${to}`,
    show: (x) => x.toPrecision(3),
  },
  faster: {
    figure: (own, other) => other / own,
    isMet: (x, goal) => x >= goal,
    text: (goal, to) => `≥ ${goal} × as fast as ${to}`,
    show: times,
  },
  microseconds: {
    figure: (own) => 1000 * own,
    isMet: (x, goal) => x <= goal,
    text: (goal) => `≤ ${goal} µs`,
    show: (x) => `${x.toPrecision(3)} µs`,
  },
  nsAnElement: {
    figure: (own, _, amount) => (1e6 * own) / amount,
    isMet: (x, goal) => x <= goal,
    text: (goal) => `≤ ${goal} ns an element`,
    show: (x) => `${x.toPrecision(3)} ns`,
  },
};

const names = {
  multiply: "the in-place multiply",
  store: "the fill",
  tuned: "a kernel of this case alone",
  onnx: "onnxruntime-web",
  "onnx gqa": "GroupQueryAttention",
  plain: "plain JavaScript",
  "inside none": "nothing inside",
  read: "the sum of the same keys and values",
};

/** One target's verdict: { text, shown, met }, or met: undefined where one of the two was not measured. */
function verdict(target, ways, amount, variant) {
  const kind = Object.keys(kinds).find((name) => name in target);
  const { figure, isMet, text, show } = kinds[kind];
  const goal = target[variant] ?? target[kind];
  const [own, other] = [fastest(ways, target.of), target.against && fastest(ways, target.against)];
  const about = own ? `${own.contender}, ${own.label}` : target.of;
  const entry = { of: about, text: text(goal, names[target.against] ?? target.against) };
  if (!own || (target.against && !other)) return { ...entry, shown: "not measured" };
  const value = figure(own.ms, other?.ms, amount);
  return { ...entry, shown: show(value), met: isMet(value, goal) };
}

/** All verdicts of a case; `variant`: the main build. */
export const verdicts = ({ targets, rate, size }, ways, variant) =>
  targets.map((target) => verdict(target, ways, rate?.amount(size), variant));

// Results as Markdown: a table for each case, then all targets.

export const significant = (x) => (x >= 100 ? x.toFixed(0) : x.toPrecision(3));

export const time = (ms) => (ms === undefined ? "" : ms < 1 ? `${significant(1000 * ms)} µs` : `${significant(ms)} ms`);

export const table = (heads, rows) =>
  [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** What a way's time is compared with: posenc's own on tensors. */
const reference = (ways) => ways.find(({ role, ms }) => ms && (role === "tensor" || role === "inside none"));

function wayRow(way, ours) {
  const { contender, label, ms, raced, rate, error, fault } = way;
  if (fault) return [contender, label, fault, "", "", ""];
  const off = error === undefined ? "" : error.toExponential(0);
  const ratio = ours && way !== ours ? `${significant(ms / ours.ms)} ×` : "";
  return [
    contender,
    label,
    `${time(ms)}${raced ? "" : " (warm-up)"}`,
    rate ? `${significant(rate.value)} ${rate.unit}` : "",
    ratio,
    off,
  ];
}

const mark = ({ met }) => (met === undefined ? "–" : met ? "met" : "MISSED");

export function caseText({ title, ways, targets }) {
  const ours = reference(ways);
  const rows = ways.map((way) => wayRow(way, ours));
  const aims = targets.map((target) => `- ${mark(target)}: ${target.text}: ${target.shown} (${target.of})`);
  const heads = ["contender", "way", "time", "speed", "beside posenc", "largest error"];
  return [`## ${title}`, table(heads, rows), ...(aims.length ? [aims.join("\n")] : [])].join("\n\n");
}

export function targetsText(cases) {
  const rows = cases.flatMap(({ title, targets }) =>
    targets.map((target) => [title, target.of, target.text, target.shown, mark(target)]),
  );
  const count = (met) => cases.flatMap(({ targets }) => targets).filter((target) => target.met === met).length;
  const heads = ["case", "way", "target", "measured", ""];
  return `## Targets: ${count(true)} met, ${count(false)} missed\n\n${table(heads, rows)}`;
}

function startUpText(startUp) {
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(0)} KB`;
  const rows = startUp.map(({ contender, gzip, brotli, ms }) => [
    contender,
    kilobytes(gzip),
    kilobytes(brotli),
    time(ms),
  ]);
  return `## Start-up\n\n${table(["contender", "download, gzip", "brotli", "import and start"], rows)}`;
}

/** How far rounds were apart, in the middle: much where the machine had other work. */
function noise(cases) {
  const spreads = cases
    .flatMap(({ ways }) => ways.map(({ spread }) => spread))
    .filter((spread) => spread !== undefined);
  return spreads.toSorted((a, b) => a - b)[spreads.length >> 1] ?? 0;
}

const headText = ({ engine, cpu, variant, rounds, cases }) =>
  `# posenc's speed

${engine}, ${cpu}, one thread; medians of ${rounds} alternating rounds, whose middle half is typically within \
${(100 * noise(cases)).toFixed(0)} %; targets are about the ${variant} build.`;

/** The whole report: { engine, cpu, variant, rounds, cases, startUp? }. */
export const reportText = (report) =>
  [
    headText(report),
    ...report.cases.map(caseText),
    ...(report.startUp ? [startUpText(report.startUp)] : []),
    targetsText(report.cases),
  ].join("\n\n") + "\n";

// What the runner prints.

const number = (value) => (value === 0 ? "0" : Number.isFinite(value) ? value.toExponential(1) : String(value));

const outputText = (output) =>
  output.reason
    ? `${output.name}: ${output.reason}`
    : `${output.name}: max error ${number(output.error)} (tolerance ${number(output.tolerance)})`;

/** The one line of a case. */
export function caseLine(report) {
  const outputs = report.outputs.map(outputText).join(", ");
  const reason = report.reason && !outputs.includes(report.reason) ? report.reason : "";
  return [report.status.padEnd(11), report.name, [reason, outputs].filter(Boolean).join("; ")].join("  ").trimEnd();
}

/** More about a case, for `--verbose`. */
export function caseDetails(report) {
  const lines = report.outputs.map(
    (output) => `    ${output.ok ? "ok " : "BAD"} ${outputText(output)}, ${output.against}`,
  );
  const causes = [report, ...report.outputs.map(({ verdict }) => verdict ?? {})].map(({ cause }) => cause);
  for (const cause of new Set(causes)) if (cause instanceof Error) lines.push(`    ${cause.stack}`);
  return lines.join("\n");
}

export function countStatuses(reports) {
  const counts = { pass: 0, fail: 0, unsupported: 0 };
  for (const report of reports) counts[report.status]++;
  return counts;
}

/** The last line. */
export const totalLine = ({ pass, fail, unsupported }) =>
  `golden: ${pass} passed, ${fail} failed, ${unsupported} unsupported`;

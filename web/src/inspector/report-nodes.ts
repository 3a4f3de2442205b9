// Shows a report: tables, findings and explanations.
import type { Spec } from "../base/specs.gen.js";
import {
  fixCommand,
  ggufFacts,
  layersInWords,
  pairingInWords,
  specInWords,
  valuesInWords,
  type GgufReport,
  type OnnxReport,
} from "../cli/report.js";
import { sizeInWords } from "../cli/words.js";
import { few } from "../onnx/audit/finding.js";
import type { PositionalComponent } from "../onnx/component.js";
import { fill, make, type Child } from "./dom.js";
import type { ConfigReport, InspectorReport, LayerGroup } from "./report.js";
import { reportText, type ReportText } from "./report-text.js";

/** A column: its heading, its cells, and whether they are too short to break. */
interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row, index: number) => Child;
  readonly isShort?: boolean;
}

const code = (text: string): HTMLElement => make("code", {}, text);
const heading = (text: string): HTMLElement => make("h4", { part: "heading" }, text);

/** Returns a table without the columns that are empty in all rows. Roles stay those of a table when rows become lists. */
function table<Row>(label: string, rows: readonly Row[], columns: readonly Column<Row>[]): HTMLElement {
  const cells = columns.map(({ cell }) => rows.map(cell));
  const isUsed = columns.map((_, i) => cells[i]!.some((one) => one !== "" && one !== undefined));
  const used = columns.map((column, i) => ({ ...column, values: cells[i]! })).filter((_, i) => isUsed[i]);
  const heads = used.map((one) => make("th", { scope: "col", role: "columnheader" }, one.heading));
  const bodyRow = (_: Row, i: number): HTMLElement => {
    const tds = used.map((one) =>
      make("td", { role: "cell", "data-column": one.heading, class: one.isShort && "short" }, one.values[i]),
    );
    return make("tr", { role: "row" }, ...tds);
  };
  return make(
    "table",
    { part: "table", role: "table", "aria-label": label },
    make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads)),
    make("tbody", { role: "rowgroup" }, ...rows.map(bodyRow)),
  );
}

function encodingOf(component: PositionalComponent, text: ReportText): Child {
  const { spec, frequencies, attentionFactor = 1, buckets, maxDistance, heads, dim, changeable, fits } = component;
  const facts = { heads, dim, buckets, maxDistance };
  const known = Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  const { originalLength } = (spec ?? {}) as { originalLength?: number };
  const lengths = (fits?.originalLength ?? []).filter((length) => length !== originalLength).join(", ");
  const notes = [
    spec ? specInWords(spec) : known.join(", "),
    !spec && changeable !== false && buckets === undefined && text.noRule,
    !spec && frequencies && valuesInWords(frequencies),
    pairingInWords(component).slice(2),
    Math.abs(attentionFactor - 1) > 1e-6 && `attentionFactor ${few(attentionFactor)}`,
    lengths && fill(text.fits, { lengths }),
    changeable === false && text.fixed,
  ];
  return code(notes.filter(Boolean).join(", "));
}

function tensorsOf({ where: { tensors } }: PositionalComponent): Child {
  if (tensors.length === 0) return undefined;
  return code(tensors.slice(0, 2).join(", ") + (tensors.length > 2 ? `, … (${tensors.length})` : ""));
}

function componentNodes({ positions, missing }: OnnxReport, text: ReportText): Node[] {
  const columns: Column<PositionalComponent>[] = [
    { heading: "#", cell: (_, index) => String(index + 1), isShort: true },
    { heading: text.component, cell: ({ family, form }) => `${family} ${form}` },
    { heading: text.layers, cell: ({ layers }) => layersInWords(layers) },
    { heading: text.encoding, cell: (one) => encodingOf(one, text) },
    { heading: text.rows, cell: ({ rows }) => (rows === undefined ? "" : String(rows)), isShort: true },
    { heading: text.type, cell: ({ type }) => type, isShort: true },
    {
      heading: text.error,
      cell: ({ spec, error }) => (spec && error !== undefined ? few(error) : ""),
      isShort: true,
    },
    { heading: text.tensors, cell: tensorsOf },
  ];
  return [
    heading(text.components),
    positions.length > 0 ? table(text.components, positions, columns) : make("p", {}, text.noComponents),
    ...(missing ? [make("p", {}, `${text.missing} `, code(missing.join(", ")))] : []),
  ];
}

/** Formats a command with spaces that wrap. */
function commandNodes(report: InspectorReport, text: ReportText): Node[] {
  const command = report.format === "onnx" ? fixCommand(report) : undefined;
  if (command === undefined) return [];
  return [make("p", {}, text.fix), make("code", { part: "command", class: "command" }, `npx ${command}`)];
}

function findingNodes(report: InspectorReport, text: ReportText): Node[] {
  const { findings, format, unchecked } = report;
  if (format !== "onnx" && findings.length === 0) return [];
  const items = findings.map(({ severity, code: name, message, ...finding }) => {
    const { component } = finding as { component?: number };
    const badge = { part: `severity ${severity}`, class: `severity ${severity}-level` };
    return make(
      "li",
      { part: `finding finding-${severity}` },
      make("span", badge, text.severities[severity]),
      " ",
      code(name),
      component !== undefined && fill(text.number, { number: component }),
      " ",
      make("span", { lang: "en" }, message),
    );
  });
  const lacksConfig = format === "onnx" && report.config === undefined;
  return [
    heading(text.findings),
    ...(items.length > 0 ? [make("ul", { role: "list" }, ...items)] : []),
    ...(items.length === 0 && !unchecked ? [make("p", {}, text.noFindings)] : []),
    ...(lacksConfig ? [make("p", { class: "soft" }, text.withoutConfig)] : []),
    ...commandNodes(report, text),
  ];
}

const specOf = (spec: Spec | null, text: ReportText): Child => (spec ? code(specInWords(spec)) : text.noPositions);

function attendsTo({ window, chunk }: LayerGroup, text: ReportText): string {
  const size = typeof window === "object" ? window.join(" + ") : window;
  const limits = [
    size !== undefined && fill(text.window, { window: size }),
    chunk !== undefined && fill(text.chunk, { chunk }),
  ];
  return limits.filter(Boolean).join(", ") || text.all;
}

function alsoHas({ temperature, remap, input, note }: LayerGroup, text: ReportText): string {
  const others = [
    temperature && text.temperature,
    remap && `${text.remap} (${remap.kind})`,
    input && fill(text.input, { spec: specInWords(input) }),
    note,
  ];
  return others.filter(Boolean).join("; ");
}

const layersOf = ({ part, layers }: LayerGroup, text: ReportText): string =>
  `${text.parts[part]} ${layers.length > 0 ? layersInWords(layers) : ""}`.trim();

function layerNodes({ layers }: ConfigReport, text: ReportText): Node[] {
  const columns: Column<LayerGroup>[] = [
    { heading: text.layers, cell: (group) => layersOf(group, text) },
    { heading: text.kind, cell: ({ type }) => type, isShort: true },
    { heading: text.encoding, cell: ({ spec }) => specOf(spec, text) },
    { heading: text.attends, cell: (group) => attendsTo(group, text) },
    { heading: text.more, cell: (group) => alsoHas(group, text) },
  ];
  return [heading(text.layerGroups), table(text.layerGroups, layers, columns)];
}

function headerNodes(report: GgufReport, text: ReportText): Node[] {
  const facts = ggufFacts(report).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, code(value!))]);
  const columns: Column<GgufReport["positions"][0]>[] = [
    { heading: text.kind, cell: ({ layerType }) => layerType ?? "" },
    { heading: text.encoding, cell: ({ spec }) => specOf(spec, text) },
  ];
  const { positions } = report;
  const isTable = positions.length > 1;
  const shown = isTable
    ? table(text.encoding, positions, columns)
    : make("p", {}, ...positions.map(({ spec }) => specOf(spec, text)));
  return [
    ...(positions.length > 0 ? [heading(text.encoding), shown] : []),
    heading(text.header),
    make("dl", {}, ...facts),
  ];
}

function explanationNodes(report: InspectorReport, text: ReportText): Node[] {
  const { explanations = [] } = report;
  const labels =
    report.format === "config"
      ? report.layers.map((group) => [group.spec?.kind, fill(text.ofLayers, { layers: layersOf(group, text) })])
      : report.positions.map((one) => [one.spec?.kind, (one as { layerType?: string }).layerType]);
  const paragraphs = explanations.flatMap((summary, i) => {
    if (summary === "") return [];
    const [kind = "", subject] = labels[i]!;
    const label = [code(kind), explanations.length > 1 && subject ? fill(text.about, { subject }) : ": "];
    return [make("p", { part: "explanation", class: "explanation" }, ...label, make("span", { lang: "en" }, summary))];
  });
  return paragraphs.length > 0 ? [heading(text.explanations), ...paragraphs] : [];
}

/** Returns the nodes of a report. */
export function reportNodes(report: InspectorReport, chinese: boolean): Node[] {
  const text = reportText(chinese);
  const { file, bytes, format, unchecked } = report;
  const { cache, config } = report as Partial<OnnxReport>;
  const size = (count: number): string => sizeInWords(count);
  const facts = [
    text.formats[format],
    size(bytes),
    config !== undefined && fill(text.compared, { config }),
    cache && fill(text.cache, { ...cache, size: size(cache.bytes) }),
  ];
  const body = {
    onnx: () => componentNodes(report as OnnxReport, text),
    gguf: () => headerNodes(report as GgufReport, text),
    config: () => layerNodes(report as ConfigReport, text),
  };
  return [
    make("h3", { part: "title" }, file),
    make("p", { class: "soft" }, facts.filter(Boolean).join(" · ")),
    ...body[format](),
    ...findingNodes(report, text),
    ...explanationNodes(report, text),
    ...(unchecked
      ? [make("p", { class: "error" }, `${text.unchecked} `, make("span", { lang: "en" }, unchecked))]
      : []),
  ];
}

// Reads configs and models away from the page: of a large file its graph alone is read, slice by slice.
import { openModel, type PositionalComponent, type Change, type Finding, type Progress } from "posenc/onnx";
import type { Posenc } from "../lib/engine.svelte.ts";
import { failureOf, type Failure } from "../lib/failure.ts";
import { serveTask } from "../lib/task.ts";
import { inFiles } from "./files.ts";
import { rateOf } from "./rate.ts";
import {
  offersFor,
  optionsOf,
  readConfig,
  trainedLengthOf,
  type ChangeName,
  type ChangeRequest,
  type ConfigReading,
} from "./reading.ts";

export interface Request {
  /** A config.json as text; with a model, the model is compared with it. */
  readonly config?: string;
  readonly model?: File;
  /** Files that were chosen with the model: its weights. */
  readonly beside?: readonly File[];
  readonly change?: ChangeRequest;
}

export interface FindingShown extends Pick<Finding, "severity" | "code" | "message"> {
  /** Which of the positions, from 1 on. */
  readonly component: number | undefined;
  readonly isFixable: boolean;
}

export interface ModelReading {
  readonly positions: readonly PositionalComponent[];
  readonly findings: readonly FindingShown[];
  readonly missing: readonly string[];
  readonly offers: readonly ChangeName[];
  /** Undefined: neither config nor file says. */
  readonly trainedLength: number | undefined;
  /** Of the file with its external data. */
  readonly bytes: number;
  /** Multiplications and additions a second on this machine, in WebAssembly. */
  readonly rate: number;
}

export interface Answer {
  readonly config?: ConfigReading;
  readonly configError?: Failure;
  readonly model?: ModelReading;
  readonly rewritten?: { readonly blob: Blob; readonly changes: readonly Change[] };
}

async function readModel(pe: Posenc, request: Request, config: unknown, report: (fraction: number) => void) {
  const { model: file, beside = [], change } = request;
  const find = inFiles(beside);
  const onProgress = ({ done, total }: Progress) => report(done / total);
  const model = await openModel(file!, { externalData: find, ...(!change && { onProgress }) });
  const found = model.audit(pe, config);
  if (change) {
    const { changes, ...changed } = await rewrite(pe, model, optionsOf(change, found));
    return { rewritten: { ...changed, changes } };
  }
  const { positions, externalLocations } = model;
  const missing: string[] = [];
  let bytes = file!.size;
  for (const location of externalLocations) {
    const weights = await find(location);
    if (weights) bytes += weights.size;
    else missing.push(location);
  }
  const findings = found.map(({ severity, code, message, component, rewrite: fix }) => {
    const number = component ? positions.indexOf(component) + 1 : 0;
    return { severity, code, message, component: number || undefined, isFixable: !!fix };
  });
  return {
    model: {
      positions,
      findings,
      missing,
      offers: offersFor(positions, found),
      trainedLength: trainedLengthOf(config, positions),
      bytes,
      rate: rateOf(pe),
    },
  };
}

async function rewrite(
  pe: Posenc,
  model: Awaited<ReturnType<typeof openModel>>,
  options: Parameters<typeof model.rewrite>[1],
) {
  const changed = await model.rewrite(pe, options);
  return { blob: await changed.blob(), changes: changed.changes };
}

serveTask<Request, Answer>(async (pe, request, report) => {
  const config: unknown = request.config === undefined ? undefined : JSON.parse(request.config);
  const model = request.model ? await readModel(pe, request, config, report) : {};
  if (config === undefined || request.change) return model;
  try {
    return { ...model, config: readConfig(pe, config) };
  } catch (error) {
    // Beside a model this is one of the audit's findings; alone it is the answer.
    return { ...model, configError: failureOf(error) };
  }
});

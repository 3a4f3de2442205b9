// Generated from the C++ core by web/tasks/generate.mjs; do not edit.
import type { Address, Handle, List, PositionRegion, Region } from "./regions.js";

/** Digest of the declarations below. A core with another digest has another version. */
export const schema = 411477050;

/** The calls of the core, by number. */
export const enum Operation {
  createEncoding,
  parameterFacts,
  checkApart,
  tableFacts,
  tableFrequencies,
  tableCheck,
  tableRows,
  tableAdd,
  tableConcat,
  tableShift,
  rotaryFacts,
  rotaryFrequencies,
  rotaryTables,
  rotaryAngles,
  rotaryCheck,
  rotaryApply,
  rotaryRerotate,
  biasFacts,
  biasRows,
  biasApply,
  biasBuckets,
  float32FromFloat16,
  float16FromFloat32,
  float32FromBfloat16,
  bfloat16FromFloat32,
  checksum,
  rowsByHead,
  attention,
  attentionRows,
  contextPositions,
  queryTemperature,
  similarity,
  distanceProfile,
  scoreTerms,
  relativeBuckets,
  relativeExpand,
  relativeGates,
  relativeApply,
  relativeFrequencies,
  cumulativePhases,
  relativeShift,
  zeroGradients,
  optimizerStep,
  tableBackward,
  rotaryBackward,
  biasBackward,
  attentionBackward,
  relativeGatesBackward,
  relativeApplyBackward,
  createCache,
  cacheFacts,
  cacheAppend,
  cacheAttend,
  cacheRead,
  cachePositions,
  cacheTruncate,
  cacheClear,
  cacheEvict,
  cacheShift,
  cacheReorder,
  cacheSnapshot,
  cacheRestore,
  tableResize,
}

/** The number of the first call of each part of the core. Calls before them are of the base. */
export const firstCalls = { attention: 27, relative: 34, training: 41, cache: 49, resize: 62 } as const;

export const enum Role {
  none,
  query,
  key,
}

export const enum HeadLayout {
  bhtd,
  bthd,
}

export const enum Direction {
  forward,
  inverse,
  transpose,
}

export const enum TemperatureRule {
  steps,
  logN,
  log,
}

export const enum RemapRule {
  none,
  selfExtend,
  rerope,
  dualChunk,
}

export const enum AttentionRows {
  weights,
  logits,
}

export const enum GateForm {
  sigmoid,
  softplus,
}

export const enum OptimizerKind {
  sgd,
  adam,
  adamw,
}

export const enum ElementType {
  float32,
  float16,
  int8,
}

export const enum ResizeMode {
  nearest,
  linear,
  cubic,
}

export type BeginningFields = [given: number, shapesAlone: boolean];

export type DropoutFields = [rate: number, seed: number, firstElement: number];

export type BiasFields = [
  queries: number,
  keys: number,
  offset: number,
  keyPositions: PositionRegion,
  ...visible: VisibilityFields,
];

export type VisibilityFields = [mask: Region, attentionMask: Region, segments: Region];

export type AttentionFields = [
  layout: HeadLayout,
  causal: boolean,
  windowLeft: number,
  windowRight: number,
  hasScale: boolean,
  scale: number,
  softcap: number,
  ...temperature: TemperatureFields,
  sinks: List,
  ...visible: VisibilityFields,
  bias: Region,
  encoding: Handle,
  gateKeys: Region,
  logGates: Region,
  directions: Region,
  strengths: Region,
  gateRows: Region,
  relativeStates: Region,
  keyPositions: PositionRegion,
  queryPositions: PositionRegion,
  sequenceLength: number,
  ...remap: RemapFields,
];

export type TemperatureFields = [factor: number, length: number, offset: number, rule: TemperatureRule];

export type RemapFields = [
  rule: RemapRule,
  group: number,
  window: number,
  leak: number,
  chunk: number,
  local: number,
  trained: number,
];

export type OptimizerFields = [
  optimizer: OptimizerKind,
  learningRate: number,
  weightDecay: number,
  momentum: number,
  nesterov: boolean,
  beta1: number,
  beta2: number,
  epsilon: number,
];

export type ScatterFields = [padding: number, byFrequency: boolean, rate: number, seed: number];

export type GradientFields = [
  q: Region,
  k: Region,
  v: Region,
  bias: Region,
  gateKeys: Region,
  sinks: Region,
  logGates: Region,
  directions: Region,
  strengths: Region,
  gateRows: Region,
  relativeStates: Region,
];

export type CacheFields = [
  batch: number,
  heads: number,
  dim: number,
  valueDim: number,
  capacity: number,
  type: ElementType,
  layout: HeadLayout,
  window: number,
  sinks: number,
  undo: number,
];

export type ResizeFields = [
  from: readonly number[],
  to: readonly number[],
  prefix: number,
  suffix: number,
  mode: ResizeMode,
  antialias: boolean,
  alignCorners: boolean,
  scaleOffset: number,
  transpose: boolean,
];

/** Parameters of each call, in order. */
export interface Calls {
  [Operation.createEncoding]: [text: List, numbers: List, ...beginning: BeginningFields, handle: Address];
  [Operation.parameterFacts]: [encoding: Handle, index: number, gradient: boolean, out: Address];
  [Operation.checkApart]: [encoding: Handle, out: Region];
  [Operation.tableFacts]: [encoding: Handle, out: Address];
  [Operation.tableFrequencies]: [encoding: Handle, out: Address];
  [Operation.tableCheck]: [encoding: Handle, x: Region, positions: PositionRegion];
  [Operation.tableRows]: [encoding: Handle, positions: PositionRegion, out: Region];
  [Operation.tableAdd]: [encoding: Handle, x: Region, positions: PositionRegion, ...dropout: DropoutFields];
  [Operation.tableConcat]: [encoding: Handle, x: Region, positions: PositionRegion, out: Region];
  [Operation.tableShift]: [encoding: Handle, k: number, out: Region];
  [Operation.rotaryFacts]: [encoding: Handle, out: Address];
  [Operation.rotaryFrequencies]: [encoding: Handle, sequenceLength: number, out: Address];
  [Operation.rotaryTables]: [
    encoding: Handle,
    positions: PositionRegion,
    sequenceLength: number,
    cosine: Region,
    sine: Region,
    role: Role,
  ];
  [Operation.rotaryAngles]: [encoding: Handle, positions: PositionRegion, sequenceLength: number, out: Address];
  [Operation.rotaryCheck]: [
    encoding: Handle,
    x: Region,
    layout: HeadLayout,
    positions: PositionRegion,
    sequenceLength: number,
    role: Role,
  ];
  [Operation.rotaryApply]: [
    encoding: Handle,
    x: Region,
    layout: HeadLayout,
    positions: PositionRegion,
    sequenceLength: number,
    direction: Direction,
    role: Role,
  ];
  [Operation.rotaryRerotate]: [
    encoding: Handle,
    fromEncoding: Handle,
    x: Region,
    layout: HeadLayout,
    from: PositionRegion,
    to: PositionRegion,
    fromLength: number,
    toLength: number,
  ];
  [Operation.biasFacts]: [encoding: Handle, out: Address];
  [Operation.biasRows]: [encoding: Handle, ...call: BiasFields, out: Region];
  [Operation.biasApply]: [encoding: Handle, ...call: BiasFields, scores: Region];
  [Operation.biasBuckets]: [encoding: Handle, ...call: BiasFields, out: Region];
  [Operation.float32FromFloat16]: [from: List, to: Address];
  [Operation.float16FromFloat32]: [from: List, to: Address];
  [Operation.float32FromBfloat16]: [from: List, to: Address];
  [Operation.bfloat16FromFloat32]: [from: List, to: Address];
  [Operation.checksum]: [from: List, out: Address];
  [Operation.rowsByHead]: [from: List, tokens: number, heads: number, to: Address];
  [Operation.attention]: [q: Region, k: Region, v: Region, ...options: AttentionFields, chunks: Address, out: Region];
  [Operation.attentionRows]: [q: Region, k: Region, ...options: AttentionFields, out: Region, wanted: AttentionRows];
  [Operation.contextPositions]: [q: Region, k: Region, ...options: AttentionFields, out: Region];
  [Operation.queryTemperature]: [positions: PositionRegion, ...temperature: TemperatureFields, out: Region];
  [Operation.similarity]: [table: Region, out: Region];
  [Operation.distanceProfile]: [encoding: Handle, out: Region];
  [Operation.scoreTerms]: [
    x: Region,
    table: Region,
    wq: Region,
    wk: Region,
    contentContent: Region,
    contentPosition: Region,
    positionContent: Region,
    positionPosition: Region,
  ];
  [Operation.relativeBuckets]: [encoding: Handle, distances: List, out: Address];
  [Operation.relativeExpand]: [
    encoding: Handle,
    x: Region,
    isKey: boolean,
    layout: HeadLayout,
    positions: PositionRegion,
    out: Region,
  ];
  [Operation.relativeGates]: [encoding: Handle, x: Region, layout: HeadLayout, out: Region];
  [Operation.relativeApply]: [
    encoding: Handle,
    x: Region,
    layout: HeadLayout,
    positions: PositionRegion,
    direction: Direction,
  ];
  [Operation.relativeFrequencies]: [encoding: Handle, out: List];
  [Operation.cumulativePhases]: [gates: Region, form: GateForm, scale: number, out: List];
  [Operation.relativeShift]: [x: Region, zeroWrapped: boolean, out: Region];
  [Operation.zeroGradients]: [encoding: Handle];
  [Operation.optimizerStep]: [encoding: Handle, ...optimizer: OptimizerFields];
  [Operation.tableBackward]: [encoding: Handle, gradient: Region, positions: PositionRegion, ...options: ScatterFields];
  [Operation.rotaryBackward]: [
    encoding: Handle,
    x: Region,
    gradient: Region,
    layout: HeadLayout,
    positions: PositionRegion,
    sequenceLength: number,
    role: Role,
  ];
  [Operation.biasBackward]: [encoding: Handle, ...call: BiasFields, gradient: Region, scores: Region];
  [Operation.attentionBackward]: [
    q: Region,
    k: Region,
    v: Region,
    gradient: Region,
    ...out: GradientFields,
    ...options: AttentionFields,
  ];
  [Operation.relativeGatesBackward]: [encoding: Handle, x: Region, gradient: Region, layout: HeadLayout, out: Region];
  [Operation.relativeApplyBackward]: [
    encoding: Handle,
    x: Region,
    gradient: Region,
    layout: HeadLayout,
    positions: PositionRegion,
  ];
  [Operation.createCache]: [...spec: CacheFields, handle: Address];
  [Operation.cacheFacts]: [cache: Address, out: Address];
  [Operation.cacheAppend]: [cache: Address, encoding: Handle, k: Region, v: Region, positions: PositionRegion];
  [Operation.cacheAttend]: [cache: Address, q: Region, ...options: AttentionFields, chunks: Address, out: Region];
  [Operation.cacheRead]: [cache: Address, encoding: Handle, k: Region, v: Region];
  [Operation.cachePositions]: [cache: Address, out: List];
  [Operation.cacheTruncate]: [cache: Address, length: number];
  [Operation.cacheClear]: [cache: Address];
  [Operation.cacheEvict]: [cache: Address, first: number, count: number];
  [Operation.cacheShift]: [cache: Address, encoding: Handle, delta: List];
  [Operation.cacheReorder]: [cache: Address, rows: List];
  [Operation.cacheSnapshot]: [cache: Address, out: List];
  [Operation.cacheRestore]: [cache: Address, from: List, length: number];
  [Operation.tableResize]: [table: Region, ...options: ResizeFields, out: Region];
}

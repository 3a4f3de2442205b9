// posenc exports
//   AdamOptions
//   AlibiBias
//   AlibiSpec
//   AnyEncoding
//   ApplyBiasOptions
//   ApplyOptions
//   ArrayLike2D
//   At
//   AttendOptions
//   AttentionAt
//   AttentionBackwardOptions
//   AttentionEncoding
//   AttentionGradients
//   AttentionOptions
//   AxisIds
//   Bfloat16Result
//   Bfloat16Tensor
//   BiasBackwardOptions
//   BiasEncoding
//   BiasExplanation
//   BiasOptions
//   BiasPositions
//   BiasedRelative
//   BinarySpec
//   BucketBias
//   BucketOptions
//   BucketRelative
//   CacheAt
//   CacheOptions
//   CachePolicy
//   CacheSnapshot
//   CacheType
//   Comparison
//   ConfigOptions
//   ContextLogitsOptions
//   ContextRelative
//   CopeSpec
//   CreatedFrom
//   DataDependentAlibiSpec
//   DebertaSpec
//   Description
//   Difference
//   DropoutOptions
//   DualChunk
//   Encoding
//   EncodingLike
//   EncodingOf
//   EncodingOfFamily
//   ErrorCode
//   ExpandOptions
//   ExplainOptions
//   Explanation
//   ExplanationOf
//   Explanations
//   Family
//   FieldDescription
//   FieldFacts
//   FieldLimits
//   Filled
//   FireSpec
//   Float16ArrayLike
//   Float16Result
//   Float16Tensor
//   FopeSpec
//   ForgetSpec
//   FourierSpec
//   GateBiasOptions
//   GatedRelative
//   GatedRowRelative
//   GatesBackwardOptions
//   GradientsOut
//   GrapeASpec
//   GrapeApSpec
//   GrapeMSpec
//   GridIdOptions
//   IdTensor
//   InitOptions
//   InklingSpec
//   InputTensor
//   IntegerSpec
//   Interchangeable
//   KerpleSpec
//   KeyValueCache
//   Kind
//   KindDescription
//   KindFacts
//   KindProse
//   KindsOf
//   KindsWith
//   Layer
//   LayerFacts
//   LayerOptions
//   Layout
//   LayoutOption
//   LearnedSpec
//   LearnedTable
//   LibraryPart
//   LiereSpec
//   LogTemperature
//   LogitsBackwardOptions
//   LogitsGradients
//   LogitsGradientsOut
//   LogitsOptions
//   MaskLike
//   MaskSpec
//   MaskedPositions
//   MropeIds
//   MropeOptions
//   MropeSegment
//   NewTypeOption
//   NezhaSpec
//   NoEncoding
//   NoTypeOption
//   NoneLike
//   NoneSpec
//   NormalizedSpec
//   NumberArray
//   OneHotSpec
//   OutOption
//   OwnedBigInt64Array
//   OwnedFloat16Array
//   OwnedFloat32Array
//   OwnedFloat64Array
//   OwnedInt32Array
//   OwnedUint16Array
//   OwnedUint32Array
//   OwnedUint8Array
//   PairChange
//   PairRun
//   ParameterData
//   ParameterDescription
//   ParameterTensor
//   Part
//   PathSpec
//   PerRowAlibiSpec
//   PeriodicSpec
//   PermuteOptions
//   Permuted
//   PhaseOptions
//   PolarRelative
//   PopeSpec
//   Posenc
//   PosencError
//   PositionIdOptions
//   Positions
//   PrefixOption
//   ReRope
//   ReadingOptions
//   RelativeEncoding
//   RelativeExplanation
//   RelativeLogitsOptions
//   Remap
//   RerotateOptions
//   ResizeOptions
//   ResizeTableOptions
//   ResultIn
//   ResultLike
//   RoleOption
//   RopeAxialSpec
//   RopeDynamicSpec
//   RopeLinearSpec
//   RopeLlama3Spec
//   RopeLongropeSpec
//   RopeMixedSpec
//   RopeMropeSpec
//   RopeNtkByPartsSpec
//   RopeNtkSpec
//   RopeProportionalSpec
//   RopeQwenSpec
//   RopeSpec
//   RopeYarnSpec
//   RotaryAt
//   RotaryBackwardOptions
//   RotaryEncoding
//   RotaryExplanation
//   RotaryLike
//   RotaryRegime
//   RotaryTables
//   RowRelative
//   SandwichSpec
//   ScatterOptions
//   ScoreTerms
//   SelfExtend
//   SequenceOption
//   SgdOptions
//   ShawSpec
//   ShiftOptions
//   Sinusoidal2dSpec
//   Sinusoidal3dSpec
//   SinusoidalSpec
//   SinusoidalTable
//   SmoothTemperature
//   Source
//   Spec
//   StateRelative
//   StepOptions
//   StepTemperature
//   StringSpec
//   SwinSpec
//   SwinV2Spec
//   T5Spec
//   TableAt
//   TableEncoding
//   TableExplanation
//   TablesAreAddedToFeatures
//   Temperature
//   Tensor
//   TensorData
//   TensorLike
//   TensorOf
//   TensorType
//   TokenOptions
//   Tokens
//   TransformBackwardOptions
//   TransformOptions
//   TransformRelative
//   TransformerXlSpec
//   TypeOption
//   UntypedTensor
//   Variant
//   VisibilityOptions
//   WasmModule
//   WasmTensor
//   WasmTensorOf
//   WeightsLike
//   WindowBias
//   WindowResizeOptions
//   Written
//   XposSpec
//   init

// posenc/cache-file exports
//   CacheFile
//   CacheFileType
//   CacheLibrary
//   ErrorCode
//   FilePart
//   FileSource
//   Files
//   ForwardModel
//   LayerCaches
//   LayerEncodings
//   LayerLike
//   ModelNames
//   PosencError
//   Progress
//   RandomAccess
//   RestoreOptions
//   RestoreTensorOptions
//   RuntimeTensor
//   SaveOptions
//   SpliceOptions
//   TensorClass
//   TensorOption
//   WorkOptions
//   appendCache
//   fingerprint
//   openCache
//   restoreCache
//   saveCache
//   spliceCache

// posenc/config exports
//   AlibiSpec
//   BinarySpec
//   CacheBytes
//   CacheBytesOptions
//   ConfigOptions
//   ConfigReading
//   CopeSpec
//   DataDependentAlibiSpec
//   DebertaSpec
//   ErrorCode
//   Family
//   FireSpec
//   FopeSpec
//   ForgetSpec
//   FourierSpec
//   GgufOptions
//   GrapeASpec
//   GrapeApSpec
//   GrapeMSpec
//   InklingSpec
//   IntegerSpec
//   KerpleSpec
//   Kind
//   KindsOf
//   KindsWith
//   LayerCache
//   LayerFacts
//   LayerOptions
//   LayerSpec
//   LearnedSpec
//   LiereSpec
//   LlamaCppOptions
//   MaskSpec
//   NezhaSpec
//   NoneSpec
//   NormalizedSpec
//   OneHotSpec
//   Part
//   PathSpec
//   PerRowAlibiSpec
//   PeriodicSpec
//   PopeSpec
//   PosencError
//   RopeAxialSpec
//   RopeDynamicSpec
//   RopeLinearSpec
//   RopeLlama3Spec
//   RopeLongropeSpec
//   RopeMixedSpec
//   RopeMropeSpec
//   RopeNtkByPartsSpec
//   RopeNtkSpec
//   RopeProportionalSpec
//   RopeQwenSpec
//   RopeSpec
//   RopeYarnSpec
//   SandwichSpec
//   ShawSpec
//   Sinusoidal2dSpec
//   Sinusoidal3dSpec
//   SinusoidalSpec
//   Spec
//   StringSpec
//   SwinSpec
//   SwinV2Spec
//   T5Spec
//   TransformerXlSpec
//   XposSpec
//   cacheBytes
//   layerSpecs
//   llamaCppOptions
//   readConfig
//   readGguf
//   specFromConfig
//   specFromGguf

// posenc/explain exports
//   BiasExplanation
//   Comparison
//   Description
//   Difference
//   ExplainOptions
//   Explanation
//   ExplanationOf
//   Explanations
//   FieldDescription
//   FieldFacts
//   FieldLimits
//   Interchangeable
//   KindDescription
//   KindFacts
//   KindProse
//   PairChange
//   PairRun
//   ParameterDescription
//   RelativeExplanation
//   RotaryExplanation
//   RotaryRegime
//   TableExplanation
//   compare
//   describe
//   explain

// posenc/ids exports
//   AxisIds
//   ErrorCode
//   GlmIdOptions
//   GridIdOptions
//   MaskedPositions
//   MropeIds
//   MropeOptions
//   MropeSegment
//   PosencError
//   PositionIdOptions
//   Tokens
//   glmPositionIds
//   gridPositionIds
//   mropePositionIds
//   pixelPositions
//   positionIds

// posenc/inline exports
//   AdamOptions
//   AlibiBias
//   AlibiSpec
//   AnyEncoding
//   ApplyBiasOptions
//   ApplyOptions
//   ArrayLike2D
//   At
//   AttendOptions
//   AttentionAt
//   AttentionBackwardOptions
//   AttentionEncoding
//   AttentionGradients
//   AttentionOptions
//   AxisIds
//   Bfloat16Result
//   Bfloat16Tensor
//   BiasBackwardOptions
//   BiasEncoding
//   BiasExplanation
//   BiasOptions
//   BiasPositions
//   BiasedRelative
//   BinarySpec
//   BucketBias
//   BucketOptions
//   BucketRelative
//   CacheAt
//   CacheOptions
//   CachePolicy
//   CacheSnapshot
//   CacheType
//   Comparison
//   ConfigOptions
//   ContextLogitsOptions
//   ContextRelative
//   CopeSpec
//   CreatedFrom
//   DataDependentAlibiSpec
//   DebertaSpec
//   Description
//   Difference
//   DropoutOptions
//   DualChunk
//   Encoding
//   EncodingLike
//   EncodingOf
//   EncodingOfFamily
//   ErrorCode
//   ExpandOptions
//   ExplainOptions
//   Explanation
//   ExplanationOf
//   Explanations
//   Family
//   FieldDescription
//   FieldFacts
//   FieldLimits
//   Filled
//   FireSpec
//   Float16ArrayLike
//   Float16Result
//   Float16Tensor
//   FopeSpec
//   ForgetSpec
//   FourierSpec
//   GateBiasOptions
//   GatedRelative
//   GatedRowRelative
//   GatesBackwardOptions
//   GradientsOut
//   GrapeASpec
//   GrapeApSpec
//   GrapeMSpec
//   GridIdOptions
//   IdTensor
//   InitOptions
//   InklingSpec
//   InputTensor
//   IntegerSpec
//   Interchangeable
//   KerpleSpec
//   KeyValueCache
//   Kind
//   KindDescription
//   KindFacts
//   KindProse
//   KindsOf
//   KindsWith
//   Layer
//   LayerFacts
//   LayerOptions
//   Layout
//   LayoutOption
//   LearnedSpec
//   LearnedTable
//   LibraryPart
//   LiereSpec
//   LogTemperature
//   LogitsBackwardOptions
//   LogitsGradients
//   LogitsGradientsOut
//   LogitsOptions
//   MaskLike
//   MaskSpec
//   MaskedPositions
//   MropeIds
//   MropeOptions
//   MropeSegment
//   NewTypeOption
//   NezhaSpec
//   NoEncoding
//   NoTypeOption
//   NoneLike
//   NoneSpec
//   NormalizedSpec
//   NumberArray
//   OneHotSpec
//   OutOption
//   OwnedBigInt64Array
//   OwnedFloat16Array
//   OwnedFloat32Array
//   OwnedFloat64Array
//   OwnedInt32Array
//   OwnedUint16Array
//   OwnedUint32Array
//   OwnedUint8Array
//   PairChange
//   PairRun
//   ParameterData
//   ParameterDescription
//   ParameterTensor
//   Part
//   PathSpec
//   PerRowAlibiSpec
//   PeriodicSpec
//   PermuteOptions
//   Permuted
//   PhaseOptions
//   PolarRelative
//   PopeSpec
//   Posenc
//   PosencError
//   PositionIdOptions
//   Positions
//   PrefixOption
//   ReRope
//   ReadingOptions
//   RelativeEncoding
//   RelativeExplanation
//   RelativeLogitsOptions
//   Remap
//   RerotateOptions
//   ResizeOptions
//   ResizeTableOptions
//   ResultIn
//   ResultLike
//   RoleOption
//   RopeAxialSpec
//   RopeDynamicSpec
//   RopeLinearSpec
//   RopeLlama3Spec
//   RopeLongropeSpec
//   RopeMixedSpec
//   RopeMropeSpec
//   RopeNtkByPartsSpec
//   RopeNtkSpec
//   RopeProportionalSpec
//   RopeQwenSpec
//   RopeSpec
//   RopeYarnSpec
//   RotaryAt
//   RotaryBackwardOptions
//   RotaryEncoding
//   RotaryExplanation
//   RotaryLike
//   RotaryRegime
//   RotaryTables
//   RowRelative
//   SandwichSpec
//   ScatterOptions
//   ScoreTerms
//   SelfExtend
//   SequenceOption
//   SgdOptions
//   ShawSpec
//   ShiftOptions
//   Sinusoidal2dSpec
//   Sinusoidal3dSpec
//   SinusoidalSpec
//   SinusoidalTable
//   SmoothTemperature
//   Source
//   Spec
//   StateRelative
//   StepOptions
//   StepTemperature
//   StringSpec
//   SwinSpec
//   SwinV2Spec
//   T5Spec
//   TableAt
//   TableEncoding
//   TableExplanation
//   TablesAreAddedToFeatures
//   Temperature
//   Tensor
//   TensorData
//   TensorLike
//   TensorOf
//   TensorType
//   TokenOptions
//   Tokens
//   TransformBackwardOptions
//   TransformOptions
//   TransformRelative
//   TransformerXlSpec
//   TypeOption
//   UntypedTensor
//   Variant
//   VisibilityOptions
//   WasmModule
//   WasmTensor
//   WasmTensorOf
//   WeightsLike
//   WindowBias
//   WindowResizeOptions
//   Written
//   XposSpec
//   init

// posenc/inspector exports
//   ConfigReport
//   ErrorCode
//   GgufReport
//   InspectOptions
//   InspectorLibrary
//   InspectorReport
//   InspectorSource
//   InspectorState
//   LayerGroup
//   OnnxReport
//   PosencError
//   PosencInspector
//   PosencInspectorConstructor
//   PosencInspectorEventMap
//   Progress
//   defineInspector

// posenc/models exports
//   Config
//   KnownModel
//   Model
//   ModelId
//   PosencError
//   Recommendation
//   models
//   recommend
//   useCases

// posenc/onnx exports
//   BiasChoice
//   ByLayer
//   Change
//   ChangeOption
//   ChangedModel
//   ErrorCode
//   FileSource
//   Finding
//   FindingCode
//   Library
//   OnnxModel
//   OpenOptions
//   PosencError
//   PositionalComponent
//   Progress
//   RandomAccess
//   RewriteOptions
//   RotaryChoice
//   UnusedOption
//   WindowSize
//   WorkOptions
//   openModel

// posenc/transformers exports
//   AddPositionalOptions
//   AttentionBiasOptions
//   EnvLike
//   FloatType
//   GpuOption
//   IdsLike
//   LayerEncodings
//   LayerLike
//   ModelLike
//   PosencError
//   RollingOptions
//   RotaryInputOptions
//   RotaryTableOptions
//   RuntimeTensor
//   ShiftOptions
//   TensorClass
//   TensorOption
//   Undo
//   addPositional
//   attentionBias
//   interpolatePositionEmbeddings
//   positionIds
//   rotaryInputs
//   shiftCache
//   usePositions
//   withRollingCache
//   withRotaryTables

// posenc/webgpu exports
//   CpuTensor
//   Endable
//   ErrorCode
//   Gpu
//   GpuBiasOptions
//   GpuBuffer
//   GpuDevice
//   GpuResizeOptions
//   GpuTensor
//   GpuType
//   KeepOptions
//   MoveOptions
//   OrtTensor
//   OrtTensorClass
//   OwnCpuTensor
//   OwnGpuTensor
//   PosencError
//   PosencLike
//   Result
//   ResultOptions
//   RotateOptions
//   TableOptions
//   WebgpuOptions
//   fromOrt
//   toOrt
//   webgpu

// posenc/worker exports
//   Argument
//   CallOptions
//   ErrorCode
//   InWorker
//   PosencError
//   PosencInWorker
//   Progress
//   Result
//   WorkOptions
//   WorkerInitOptions
//   init

declare const dataTypes: {
    readonly 1: "float32";
    readonly 2: "uint8";
    readonly 3: "int8";
    readonly 4: "uint16";
    readonly 5: "int16";
    readonly 6: "int32";
    readonly 7: "int64";
    readonly 9: "bool";
    readonly 10: "float16";
    readonly 11: "float64";
    readonly 12: "uint32";
    readonly 13: "uint64";
    readonly 16: "bfloat16";
};

declare const there: unique symbol;

declare function fromConfig(core: Core, config: unknown, options: ConfigOptions & {
    family?: Family;
}): AnyEncoding;

export declare abstract class Encoding<S extends Spec = Spec> {
    abstract readonly family: Family;
    readonly spec: Filled<S>;
    assumed: readonly string[];
    ignored: readonly string[];
    get parameters(): Readonly<Record<string, ParameterTensor>>;
    get gradients(): Readonly<Record<string, ParameterTensor>>;
    toJSON(): object;
    zeroGradients(): this;
    step(options: StepOptions): this;
    load(data: ParameterInput): this;
    get [Symbol.toStringTag](): string;
    toString(): string;
    get kind(): S["kind"];
    protected get handle(): number;
    dispose(): void;
    [Symbol.dispose](): void;
}

export declare abstract class Library {
    get variant(): Variant;
    get parts(): readonly LibraryPart[];
    load(...parts: (LibraryPart | "all")[]): Promise<void>;
    get threads(): number;
    get liveBytes(): number;
    toJSON(): object;
    toString(): string;
    tensor(dims: readonly number[], options?: NoTypeOption): WasmTensor;
    tensor<Type extends TensorType>(dims: readonly number[], options: TypeOption<Type>): WasmTensorOf<Type>;
    tensor(data: ArrayLike<number>, dims: readonly number[], options?: NoTypeOption): WasmTensor;
    tensor<Type extends TensorType>(data: ArrayLike<number>, dims: readonly number[], options: TypeOption<Type>): WasmTensorOf<Type>;
    resizeTable<Out extends InputTensor | undefined = undefined>(table: InputTensor, options: ResizeTableOptions & OutOption<Out>): ResultIn<Out, Tensor>;
    toFloat32(x: Float16Tensor | Bfloat16Tensor): Tensor;
    toFloat32<T extends TensorLike>(x: T): T;
    toFloat32(x: InputTensor): TensorLike;
    toFloat16(x: InputTensor): Float16Result;
    toBfloat16(x: InputTensor): Bfloat16Result;
    readonly permuteWeights: Code["config"]["permuteWeights"];
    readonly positionIds: Code["ids"]["positionIds"];
    readonly gridPositionIds: Code["ids"]["gridPositionIds"];
    readonly mropePositionIds: Code["ids"]["mropePositionIds"];
    readonly glmPositionIds: Code["ids"]["glmPositionIds"];
    readonly pixelPositions: Code["ids"]["pixelPositions"];
    trim(): void;
}

export declare class AlibiBias<S extends Spec = AlibiSpec> extends BiasEncoding<S> {
    get slopes(): OwnedFloat32Array;
}

export declare class BiasEncoding<S extends Spec = Spec> extends Encoding<S> {
    readonly family = "bias";
    readonly heads: number;
    bias<Out extends InputTensor | undefined = undefined>(options: BiasOptions & OutOption<Out>): ResultIn<Out, Tensor>;
    applyTo<T extends InputTensor>(scores: T, options?: ApplyBiasOptions): T;
    backward<Out extends InputTensor | undefined = undefined>(gradOut: InputTensor, options?: BiasBackwardOptions & OutOption<Out>): ResultIn<Out, Tensor>;
}

export declare class BiasedRelative<S extends Spec = GrapeASpec> extends RelativeEncoding<S> {
    biasOf<Out extends InputTensor | undefined = undefined>(q: InputTensor, k: InputTensor, options?: LogitsOptions & OutOption<Out>): ResultIn<Out, Tensor>;
}

export declare class BucketBias<S extends Spec = T5Spec | SwinSpec> extends BiasEncoding<S> {
    buckets(options: BucketOptions): IdTensor;
}

export declare class BucketRelative<S extends Spec = ShawSpec | DebertaSpec> extends RelativeEncoding<S> {
    bucketOf(distances: NumberArray): OwnedInt32Array;
}

export declare class CacheFile {
    readonly length: number;
    readonly model: ModelNames;
    readonly tokens: readonly number[] | undefined;
    readonly positions: readonly (readonly number[])[];
    get type(): CacheInfo["type"];
    get layers(): number;
}

export declare class ChangedModel {
    readonly changes: readonly Change[];
    readonly unused: readonly UnusedOption[];
    readonly externalData: Readonly<Record<string, FileSource>>;
    blob(work?: WorkOptions): Promise<Blob>;
    get size(): number;
    chunks(work?: WorkOptions): AsyncGenerator<Uint8Array, void>;
    bytes(work?: WorkOptions): Promise<OwnedUint8Array>;
    read(offset: number, length: number): Promise<OwnedUint8Array>;
}

export declare class ContextRelative<S extends Spec = CopeSpec> extends RelativeEncoding<S> {
    contextPositions<Out extends InputTensor | undefined = undefined>(q: InputTensor, k: InputTensor, options?: ContextLogitsOptions & OutOption<Out>): ResultIn<Out, Tensor>;
}

export declare class Core {
    protected readonly cloneCheck: void;
    readonly module: CoreModule;
    readonly [Symbol.toStringTag] = "Core";
    readonly id: number;
    liveBytes: number;
    onStop?: () => void;
    threads: number;
    endThreads?: () => void;
    readonly parts: LoadedParts;
    readonly spans: Span[];
    handles: number[];
    constructor(module: CoreModule);
    get variant(): Variant;
    call<O extends Operation>(operation: O, ...given: Calls[O]): void;
    load(parts: readonly LibraryPart[]): Promise<void>;
    raise(): never;
    allocate(bytes: number): number;
    withScratch<T>(work: () => T): T;
    joinCall<T>(work: () => T): T;
    idle(): this;
    assertIdle(): this;
    separate(result: Span, source?: Span): void;
    owns(values: ArrayBufferView): boolean;
    copyIfWasmBacked<T>(values: T): T;
    borrow(bytes: number): number;
    release(address: number): void;
    destroyEncoding(handle: number): void;
    destroyCache(address: number): void;
    trim(): void;
    floats(address: number, length: number): Float32Array;
    doubles(address: number, length: number): Float64Array;
    uint16s(address: number, length: number): Uint16Array;
    bytes(address: number, length: number): Uint8Array;
    borrowDoubles(given: NumberArray, field: string): number;
}

export declare class GatedRelative<S extends Spec = ForgetSpec | DataDependentAlibiSpec> extends RelativeEncoding<S> {
    logGates<Out extends InputTensor | undefined = undefined>(x: InputTensor, options?: LayoutOption & OutOption<Out>): ResultIn<Out, Tensor>;
    logGatesBackward(x: InputTensor, gradOut: InputTensor, options?: GatesBackwardOptions): Tensor;
    bias<Out extends InputTensor | undefined = undefined>(logGates: InputTensor, options?: GateBiasOptions & OutOption<Out>): ResultIn<Out, Tensor>;
}

export declare class GatedRowRelative<S extends Spec = PerRowAlibiSpec> extends RowRelative<S> {
    gateRows<Out extends InputTensor | undefined = undefined>(x: InputTensor, options?: LayoutOption & OutOption<Out>): ResultIn<Out, Tensor>;
    gateRowsBackward(x: InputTensor, gradOut: InputTensor, options?: GatesBackwardOptions): Tensor;
}

export declare class Gpu<Fallback extends boolean = false> {
    get onGpu(): boolean;
    rotate<T extends Input<Fallback>>(x: T, options: RotateOptions): T;
    rerotate<T extends Input<Fallback>>(x: T, options: MoveOptions): T;
    tables(encoding: RotaryEncoding<any>, options: TableOptions<Input<Fallback>>): {
        cos: Result<Fallback>;
        sin: Result<Fallback>;
    };
    bias(encoding: BiasEncoding<any>, options: GpuBiasOptions<Input<Fallback>>): Result<Fallback>;
    add<T extends Input<Fallback>>(x: T, encoding: TableEncoding<any> | CpuTensor, options?: TableAt): T;
    resize(table: Input<Fallback>, options: GpuResizeOptions<Input<Fallback>>): Result<Fallback>;
    keep(x: Input<Fallback>, options: KeepOptions<Input<Fallback>>): Result<Fallback>;
    tensor(dims: readonly number[], options?: {
        type?: GpuType;
    }): Result<Fallback>;
    tensor(data: ArrayLike<number>, dims: readonly number[], options?: {
        type?: GpuType;
    }): Result<Fallback>;
    tensor(x: {
        type?: string;
        data: any;
        dims: readonly number[];
    }): Result<Fallback>;
    read(x: Input<Fallback>): Promise<CpuTensor>;
    settled(): Promise<void>;
    wgsl(encoding: Encoding<any>): string;
    fromOrt(x: OrtTensor): GpuTensor<any>;
    toOrt<T>(x: GpuTensor, Tensor: OrtTensorClass<T>): T;
    destroy(): void;
    [Symbol.dispose](): void;
}

export declare class KeyValueCache {
    readonly type: CacheType;
    readonly layout: "bhtd" | "bthd";
    readonly capacity: number;
    toString(): string;
    get length(): number;
    get dropped(): number;
    get encoding(): EncodingLike | null | undefined;
    set encoding(value: EncodingLike | null | undefined);
    get bytes(): number;
    get positions(): OwnedFloat64Array | OwnedFloat64Array[];
    append(k: InputTensor, v: InputTensor, options?: CacheAt): this;
    attend<Q extends InputTensor, F extends Family = Family, Out extends InputTensor | undefined = undefined>(q: Q, options?: AttendOptions<F> & OutOption<Out>): ResultIn<Out, ResultLike<Q>>;
    read(options?: ReadingOptions): {
        k: Tensor;
        v: Tensor;
    };
    truncate(length: number): this;
    clear(): this;
    evict(first: number, tokens: number): this;
    shift(delta: number | NumberArray): this;
    reorder(rows: NumberArray): this;
    snapshot(): CacheSnapshot;
    restore(snapshot: Omit<CacheSnapshot, "state"> & {
        readonly state: Uint8Array;
    }): this;
    get disposed(): boolean;
    dispose(): void;
    [Symbol.dispose](): void;
    toJSON(): object;
    get [Symbol.toStringTag](): string;
}

export declare class LearnedTable<S extends Spec = LearnedSpec> extends TableEncoding<S> {
    get weights(): ParameterTensor;
    get gradient(): ParameterTensor;
    resize(options: ResizeOptions): LearnedTable<S>;
}

export declare class LoadedParts {
    codeOf: CodeOf;
    attach?: (part: WasmPart) => Promise<void>;
    checkedFrom: number;
    get names(): LibraryPart[];
    need(part: LibraryPart): void;
    needFor(operation: Operation): void;
    use<Code>(part: LibraryPart): Code;
    load(parts: readonly LibraryPart[]): Promise<void>;
    withRelative<T>(work: () => T): Promise<T>;
}

export declare class NoEncoding<S extends Spec = Extract<Spec, {
    kind: KindsWith["addTo"];
}>> extends BiasEncoding<S> {
    addTo<T extends InputTensor>(x: T, options?: TableAt & DropoutOptions): T;
    apply<T extends InputTensor>(x: T, options?: ApplyOptions): T;
}

export declare class OnnxModel {
    readonly positions: readonly PositionalComponent[];
    get externalLocations(): string[];
    audit(pe: Library, configJson?: unknown): Finding[];
    rewrite(pe: Library, options: RewriteOptions, work?: WorkOptions): Promise<ChangedModel>;
}

export declare class ParameterTensor extends ResidentTensor {
}

export declare class PolarRelative<S extends Spec = PopeSpec> extends RelativeEncoding<S> {
    expand<Out extends InputTensor | undefined = undefined>(x: InputTensor, options: ExpandOptions & OutOption<Out>): ResultIn<Out, Tensor>;
}

export declare class Posenc extends Library {
    describe(): KindDescription[];
    create<K extends Kind>(spec: {
        kind: K;
    } & Extract<Spec, {
        kind: K;
    }>): CreatedFrom<K>;
    create(spec: Spec): AnyEncoding;
    fromConfig<F extends Family>(config: unknown, options: ConfigOptions & {
        family: F;
    }): EncodingOfFamily[F];
    fromConfig(config: unknown, options?: ConfigOptions): AnyEncoding;
    layerSpecs(config: object, options?: LayerOptions): LayerSpec[];
    layers(config: object, options?: LayerOptions): Promise<Layer[]>;
    explain<E extends Encoding<any>>(encoding: E, options?: ExplainOptions): Promise<ExplanationOf<E["family"]>>;
    explain<K extends Kind>(spec: {
        kind: K;
    } & Extract<Spec, {
        kind: K;
    }>, options?: ExplainOptions): Promise<ExplanationOf<EncodingOf<K>["family"]>>;
    explain(config: object, options?: ExplainOptions & ConfigOptions): Promise<Explanation>;
    compare(a: object, b: object, options?: ConfigOptions): Promise<Comparison>;
    attention<Q extends InputTensor, F extends Family = Family, Out extends InputTensor | undefined = undefined>(q: Q, k: InputTensor, v: InputTensor, options?: AttentionOptions<F> & OutOption<Out>): ResultIn<Out, ResultLike<Q>>;
    cache<F extends Family = Family>(options: CacheOptions<F>): KeyValueCache;
    attentionBackward<F extends Family = Family, Out extends Partial<AttentionGradients<InputTensor>> = {}>(q: InputTensor, k: InputTensor, v: InputTensor, gradOut: InputTensor, options?: AttentionOptions<F> & GradientsOut<Out>): Written<AttentionGradients, Out>;
    attentionWeights<Q extends InputTensor, F extends Family = Family, Out extends InputTensor | undefined = undefined>(q: Q, k: InputTensor, options?: AttentionOptions<F> & OutOption<Out>): ResultIn<Out, ResultLike<Q>>;
    relativeShift<Out extends InputTensor | undefined = undefined>(x: InputTensor, options?: ShiftOptions & OutOption<Out>): ResultIn<Out, Tensor>;
    cumulativePhases(gates: InputTensor, options?: PhaseOptions): OwnedFloat64Array;
    queryTemperature<Out extends InputTensor | undefined = undefined>(options: At & {
        temperature: Temperature;
    } & OutOption<Out>): ResultIn<Out, Tensor>;
    similarity<Out extends InputTensor | undefined = undefined>(table: InputTensor, options?: OutOption<Out>): ResultIn<Out, Tensor>;
    distanceProfile<Out extends InputTensor | undefined = undefined>(encoding: Encoding<any>, options: {
        maxDistance: number;
    } & OutOption<Out>): ResultIn<Out, Tensor>;
    scoreTerms(x: InputTensor, table: InputTensor, wq: InputTensor, wk: InputTensor): ScoreTerms;
}

export declare class PosencError extends Error {
    readonly name = "PosencError";
    readonly code: ErrorCode;
    readonly field: string | undefined;
    constructor(code: ErrorCode, message: string, field?: string, options?: ErrorOptions);
    static [Symbol.hasInstance](value: unknown): boolean;
}

export declare class RelativeEncoding<S extends Spec = Spec> extends Encoding<S> {
    readonly family = "relative";
    get dim(): number;
    logits<Out extends InputTensor | undefined = undefined>(q: InputTensor, k: InputTensor, options?: LogitsOptions & OutOption<Out>): ResultIn<Out, Tensor>;
    backward<Out extends Partial<LogitsGradients<InputTensor>> = {}>(q: InputTensor, k: InputTensor, gradOut: InputTensor, options?: LogitsOptions & LogitsGradientsOut<Out>): Written<LogitsGradients, Out>;
}

export declare class ResidentTensor<Type extends TensorType = "float32"> {
    readonly type: Type;
    readonly dims: number[];
    readonly size: number;
    get data(): TensorData[Type];
    view(dims: readonly number[]): ResidentTensor<Type>;
    toJSON(): object;
    toString(): string;
    get [Symbol.toStringTag](): string;
}

export declare class RotaryEncoding<S extends Spec = Spec> extends Encoding<S> {
    readonly family = "rotary";
    readonly dim: number;
    readonly pairs: number;
    readonly attentionFactor: number;
    readonly softmaxFactor: number;
    readonly axes: number;
    get rotaryDim(): number;
    get inverseFrequencies(): OwnedFloat64Array;
    frequenciesAt(length: number): OwnedFloat64Array;
    rememberedLength(lengths: NumberArray): number;
    tables<Type extends TensorType = "float32", Out extends InputTensor | undefined = undefined>(options: RotaryAt & RoleOption & NewTypeOption<Type, Out> & {
        out?: {
            cos: Out;
            sin: Out;
        };
    }): RotaryTables<ResultIn<Out, TensorOf<Type>>>;
    angles(options: RotaryAt): OwnedFloat64Array;
    apply<T extends InputTensor>(x: T, options?: ApplyOptions): T;
    backward<Out extends InputTensor | undefined = undefined>(x: InputTensor, gradOut: InputTensor, options?: RotaryBackwardOptions & OutOption<Out>): ResultIn<Out, Tensor>;
    rerotate<T extends InputTensor>(x: T, options: RerotateOptions): T;
}

export declare class RowRelative<S extends Spec = GrapeApSpec | PerRowAlibiSpec> extends RelativeEncoding<S> {
    biasOfRows<Out extends InputTensor | undefined = undefined>(gateRows: InputTensor, options?: GateBiasOptions & OutOption<Out>): ResultIn<Out, Tensor>;
}

export declare class SinusoidalTable<S extends Spec = SinusoidalSpec> extends TableEncoding<S> {
    shift<Out extends InputTensor | undefined = undefined>(k: number, options?: OutOption<Out>): ResultIn<Out, Tensor>;
}

export declare class StateRelative<S extends Spec = InklingSpec> extends RelativeEncoding<S> {
    relativeLogits<Out extends InputTensor | undefined = undefined>(relativeStates: InputTensor, options?: RelativeLogitsOptions & OutOption<Out>): ResultIn<Out, Tensor>;
}

export declare class TableEncoding<S extends Spec = Spec> extends Encoding<S> {
    readonly family = "table";
    readonly dim: number;
    readonly axes: number;
    table<Type extends TensorType = "float32", Out extends InputTensor | undefined = undefined>(options: TableAt & NewTypeOption<Type, Out> & OutOption<Out>): ResultIn<Out, TensorOf<Type>>;
    addTo<T extends InputTensor>(x: T, options?: TableAt & DropoutOptions): T;
    concatTo<X extends InputTensor, Out extends InputTensor | undefined = undefined>(x: X, options?: TableAt & OutOption<Out>): ResultIn<Out, ResultLike<X>>;
    backward<T extends InputTensor = Tensor>(gradOfX: T, options?: ScatterOptions): T | Tensor;
}

export declare class TransformRelative<S extends Spec = Extract<Spec, {
    kind: KindsWith["apply"];
}>> extends RelativeEncoding<S> {
    apply<T extends InputTensor>(x: T, options?: TransformOptions): T;
    applyBackward<Out extends InputTensor | undefined = undefined>(x: InputTensor, gradOut: InputTensor, options?: TransformBackwardOptions & OutOption<Out>): ResultIn<Out, Tensor>;
    get frequencies(): OwnedFloat64Array;
}

export declare class WasmTensor<Type extends TensorType = "float32"> extends ResidentTensor<Type> {
    get disposed(): boolean;
    dispose(): void;
    [Symbol.dispose](): void;
}

export declare class WindowBias<S extends Spec = SwinSpec> extends BucketBias<S> {
    resize(options: WindowResizeOptions): WindowBias<S>;
}

export declare const attentionOptions: {
    out: Reader<any>;
    logGates: Reader<any>;
    directions: Reader<any>;
    strengths: Reader<any>;
    gateRows: Reader<any>;
    relativeStates: Reader<any>;
    encoding: Reader<any>;
    bias: Reader<any>;
    scale: Reader<number | undefined>;
    softcap: Reader<number>;
    temperature: Reader<import("../base/calls.gen.js").TemperatureFields>;
    remap: Reader<import("../base/calls.gen.js").RemapFields>;
    sinks: Reader<any>;
    layout: Reader<HeadLayout>;
    at: Reader<(Read<{
        grid: Reader<readonly number[] | undefined>;
        prefix: Reader<number>;
        sequenceLength: Reader<number>;
        offset: Reader<number | undefined>;
        positions: Reader<import("../positions/at.js").PositionArrays | undefined>;
    }> & import("../base/options.js").Nested<{
        grid: Reader<readonly number[] | undefined>;
        prefix: Reader<number>;
        sequenceLength: Reader<number>;
        offset: Reader<number | undefined>;
        positions: Reader<import("../positions/at.js").PositionArrays | undefined>;
    }>) | undefined>;
    queryAt: Reader<(Read<{
        grid: Reader<readonly number[] | undefined>;
        prefix: Reader<number>;
        sequenceLength: Reader<number>;
        offset: Reader<number | undefined>;
        positions: Reader<import("../positions/at.js").PositionArrays | undefined>;
    }> & import("../base/options.js").Nested<{
        grid: Reader<readonly number[] | undefined>;
        prefix: Reader<number>;
        sequenceLength: Reader<number>;
        offset: Reader<number | undefined>;
        positions: Reader<import("../positions/at.js").PositionArrays | undefined>;
    }>) | undefined>;
    gateKeys: Reader<any>;
    mask: Reader<any>;
    attentionMask: Reader<any>;
    segments: Reader<any>;
    cuSeqlens: Reader<any>;
    causal: Reader<boolean>;
    window: Reader<readonly [
        number,
        number
    ]>;
};

export declare const attentionPart: {
    attention: typeof attention;
    attentionBackward: typeof attentionBackward;
    attentionOptions: {
        out: import("../base/options.js").Reader<any>;
        logGates: import("../base/options.js").Reader<any>;
        directions: import("../base/options.js").Reader<any>;
        strengths: import("../base/options.js").Reader<any>;
        gateRows: import("../base/options.js").Reader<any>;
        relativeStates: import("../base/options.js").Reader<any>;
        encoding: import("../base/options.js").Reader<any>;
        bias: import("../base/options.js").Reader<any>;
        scale: import("../base/options.js").Reader<number | undefined>;
        softcap: import("../base/options.js").Reader<number>;
        temperature: import("../base/options.js").Reader<import("../base/calls.gen.js").TemperatureFields>;
        remap: import("../base/options.js").Reader<import("../base/calls.gen.js").RemapFields>;
        sinks: import("../base/options.js").Reader<any>;
        layout: import("../base/options.js").Reader<import("../base/calls.gen.js").HeadLayout>;
        at: import("../base/options.js").Reader<(import("../base/options.js").Read<{
            grid: import("../base/options.js").Reader<readonly number[] | undefined>;
            prefix: import("../base/options.js").Reader<number>;
            sequenceLength: import("../base/options.js").Reader<number>;
            offset: import("../base/options.js").Reader<number | undefined>;
            positions: import("../base/options.js").Reader<import("../positions/at.js").PositionArrays | undefined>;
        }> & import("../base/options.js").Nested<{
            grid: import("../base/options.js").Reader<readonly number[] | undefined>;
            prefix: import("../base/options.js").Reader<number>;
            sequenceLength: import("../base/options.js").Reader<number>;
            offset: import("../base/options.js").Reader<number | undefined>;
            positions: import("../base/options.js").Reader<import("../positions/at.js").PositionArrays | undefined>;
        }>) | undefined>;
        queryAt: import("../base/options.js").Reader<(import("../base/options.js").Read<{
            grid: import("../base/options.js").Reader<readonly number[] | undefined>;
            prefix: import("../base/options.js").Reader<number>;
            sequenceLength: import("../base/options.js").Reader<number>;
            offset: import("../base/options.js").Reader<number | undefined>;
            positions: import("../base/options.js").Reader<import("../positions/at.js").PositionArrays | undefined>;
        }> & import("../base/options.js").Nested<{
            grid: import("../base/options.js").Reader<readonly number[] | undefined>;
            prefix: import("../base/options.js").Reader<number>;
            sequenceLength: import("../base/options.js").Reader<number>;
            offset: import("../base/options.js").Reader<number | undefined>;
            positions: import("../base/options.js").Reader<import("../positions/at.js").PositionArrays | undefined>;
        }>) | undefined>;
        gateKeys: import("../base/options.js").Reader<any>;
        mask: import("../base/options.js").Reader<any>;
        attentionMask: import("../base/options.js").Reader<any>;
        segments: import("../base/options.js").Reader<any>;
        cuSeqlens: import("../base/options.js").Reader<any>;
        causal: import("../base/options.js").Reader<boolean>;
        window: import("../base/options.js").Reader<readonly [
            number,
            number
        ]>;
    };
    attentionRows: typeof attentionRows;
    distanceProfile: typeof distanceProfile;
    queryTemperature: typeof queryTemperature;
    scoreTerms: typeof scoreTerms;
    similarity: typeof similarity;
};

export declare const cachePart: {
    KeyValueCache: typeof KeyValueCache;
};

export declare const compare: (pe: Posenc, a: object, b: object, options?: ConfigOptions) => Comparison;

export declare const configPart: {
    describeKinds: () => import("../explain.js").KindDescription[];
    fromConfig: typeof fromConfig;
    layerSpecs: typeof layerSpecs;
    permuteWeights: typeof permuteWeights;
};

export declare const describe: () => Description[];

export declare const enum AttentionRows {
    weights = 0,
    logits = 1
}

export declare const enum Direction {
    forward = 0,
    inverse = 1,
    transpose = 2
}

export declare const enum ElementType {
    float32 = 0,
    float16 = 1,
    int8 = 2
}

export declare const enum GateForm {
    sigmoid = 0,
    softplus = 1
}

export declare const enum HeadLayout {
    bhtd = 0,
    bthd = 1
}

export declare const enum Operation {
    createEncoding = 0,
    parameterFacts = 1,
    checkApart = 2,
    tableFacts = 3,
    tableFrequencies = 4,
    tableCheck = 5,
    tableRows = 6,
    tableAdd = 7,
    tableConcat = 8,
    tableShift = 9,
    rotaryFacts = 10,
    rotaryFrequencies = 11,
    rotaryTables = 12,
    rotaryAngles = 13,
    rotaryCheck = 14,
    rotaryApply = 15,
    rotaryRerotate = 16,
    biasFacts = 17,
    biasRows = 18,
    biasApply = 19,
    biasBuckets = 20,
    float32FromFloat16 = 21,
    float16FromFloat32 = 22,
    float32FromBfloat16 = 23,
    bfloat16FromFloat32 = 24,
    checksum = 25,
    rowsByHead = 26,
    attention = 27,
    attentionRows = 28,
    contextPositions = 29,
    queryTemperature = 30,
    similarity = 31,
    distanceProfile = 32,
    scoreTerms = 33,
    relativeBuckets = 34,
    relativeExpand = 35,
    relativeGates = 36,
    relativeApply = 37,
    relativeFrequencies = 38,
    cumulativePhases = 39,
    relativeShift = 40,
    zeroGradients = 41,
    optimizerStep = 42,
    tableBackward = 43,
    rotaryBackward = 44,
    biasBackward = 45,
    attentionBackward = 46,
    relativeGatesBackward = 47,
    relativeApplyBackward = 48,
    createCache = 49,
    cacheFacts = 50,
    cacheAppend = 51,
    cacheAttend = 52,
    cacheRead = 53,
    cachePositions = 54,
    cacheTruncate = 55,
    cacheClear = 56,
    cacheEvict = 57,
    cacheShift = 58,
    cacheReorder = 59,
    cacheSnapshot = 60,
    cacheRestore = 61,
    tableResize = 62
}

export declare const enum OptimizerKind {
    sgd = 0,
    adam = 1,
    adamw = 2
}

export declare const enum RemapRule {
    none = 0,
    selfExtend = 1,
    rerope = 2,
    dualChunk = 3
}

export declare const enum ResizeMode {
    nearest = 0,
    linear = 1,
    cubic = 2
}

export declare const enum Role {
    none = 0,
    query = 1,
    key = 2
}

export declare const enum TemperatureRule {
    steps = 0,
    logN = 1,
    log = 2
}

export declare const firstCalls: {
    readonly attention: 27;
    readonly relative: 34;
    readonly training: 41;
    readonly cache: 49;
    readonly resize: 62;
};

export declare const idsPart: {
    glmPositionIds: typeof glmPositionIds;
    gridPositionIds: typeof gridPositionIds;
    mropePositionIds: typeof mropePositionIds;
    pixelPositions: typeof pixelPositions;
    positionIds: typeof positionIds;
};

export declare const init: (source?: import("./exports.js").Source | import("./exports.js").InitOptions) => Promise<import("./posenc.js").Posenc>;

export declare const models: Readonly<{
    [Id in ModelId]: KnownModel<ModelTypes[Id]>;
} & Record<string, Model>>;

export declare const recommend: (useCase: string) => Recommendation;

export declare const relativePart: {
    classes: {
        family: typeof RelativeEncoding;
        special: {
            bucketOf: typeof BucketRelative;
            contextPositions: typeof ContextRelative;
            expand: typeof PolarRelative;
            logGates: typeof GatedRelative;
            biasOf: typeof BiasedRelative;
            biasOfRows: typeof RowRelative;
            gateRows: typeof GatedRowRelative;
            relativeLogits: typeof StateRelative;
            apply: typeof TransformRelative;
        };
    };
    cumulativePhases: typeof cumulativePhases;
    relativeShift: typeof relativeShift;
};

export declare const resizePart: {
    resizeLearned: typeof resizeLearned;
    resizeTable: <T extends import("../exports.js").InputTensor = import("../exports.js").Tensor>(core: import("../wasm/core.js").Core, table: import("../exports.js").InputTensor, options: import("../exports.js").ResizeTableOptions & import("../exports.js").OutOption<T>) => T | import("../exports.js").Tensor;
    resizeWindow: typeof resizeWindow;
};

export declare const schemaOf: unique symbol;

export declare const trainingPart: {
    readStep: typeof readStep;
};

export declare const useCases: () => string[];

export declare function addPositional<T extends RuntimeTensor>(x: T, encoding: TableEncoding<any>, options?: AddPositionalOptions<T>): T;

export declare function appendCache(pe: CacheLibrary, caches: LayerCaches, files: Files, options: RestoreOptions): Promise<void>;

export declare function attention<T extends InputTensor>(core: Core, q: InputTensor, k: InputTensor, v: InputTensor, given: AttentionOptions & OutOption<T>, chunks?: ChunkRange): T | TensorOf<TensorType>;

export declare function attentionBackward(core: Core, q: InputTensor, k: InputTensor, v: InputTensor | undefined, gradOut: InputTensor, options: Options): AttentionGradients;

export declare function attentionBias<T = RuntimeTensor>(encoding: BiasEncoding<any>, options: AttentionBiasOptions<T>): T;

export declare function attentionRows<T extends InputTensor>(core: Core, wanted: AttentionRows | "positions", q: InputTensor, k: InputTensor, options: Options): T | TensorOf<TensorType>;

export declare function cacheBytes(config: unknown, how: CacheBytesOptions): CacheBytes;

export declare function cumulativePhases(core: Core, gates: InputTensor, options: PhaseOptions): OwnedFloat64Array;

export declare function defineInspector(name?: string): PosencInspectorConstructor;

export declare function distanceProfile<T extends InputTensor = Tensor>(core: Core, encoding: Encoding<any>, maxDistance: number, out?: T): T | Tensor;

export declare function explain(pe: Posenc, config: object, options?: ExplainOptions & ConfigOptions): Explanation;

export declare function explain<E extends Encoding<any>>(pe: Posenc, encoding: E, options?: ExplainOptions): ExplanationOf<E["family"]>;

export declare function explain<K extends Kind>(pe: Posenc, spec: {
    kind: K;
} & Extract<Spec, {
    kind: K;
}>, options?: ExplainOptions): ExplanationOf<EncodingOf<K>["family"]>;

export declare function fingerprint(source: FileSource): Promise<string>;

export declare function fromOrt(x: OrtTensor): GpuTensor<any>;

export declare function glmPositionIds(tokens: ArrayLike2D | UntypedTensor | NumberArray | readonly NumberArray[], options: GlmIdOptions & {
    type: "int64";
}): AxisIds<OwnedBigInt64Array>;

export declare function glmPositionIds(tokens: ArrayLike2D | UntypedTensor | NumberArray | readonly NumberArray[], options: GlmIdOptions): AxisIds;

export declare function gridPositionIds(grid: Grids, options: GridIdOptions & {
    type: "int64";
}): AxisIds<OwnedBigInt64Array>;

export declare function gridPositionIds(grid: Grids, options?: GridIdOptions): AxisIds;

export declare function init(source?: Source | WorkerInitOptions): Promise<PosencInWorker>;

export declare function interpolatePositionEmbeddings<T extends RuntimeTensor>(x: T, pe: TableResizer, options: ResizeOptions & TensorOption<T> & GpuOption): T;

export declare function layerSpecs(config: unknown, options?: LayerOptions): LayerSpec[];

export declare function llamaCppOptions(spec: Spec): LlamaCppOptions;

export declare function mropePositionIds(segments: readonly MropeSegment[], options: MropeOptions & {
    type: "int64";
}): MropeIds<OwnedBigInt64Array>;

export declare function mropePositionIds(segments: readonly MropeSegment[], options?: MropeOptions): MropeIds;

export declare function openCache(source: FileSource | URL): Promise<CacheFile>;

export declare function openModel(source: FileSource, options?: OpenOptions): Promise<OnnxModel>;

export declare function permuteWeights<T extends WeightsLike>(weights: T, options: PermuteOptions & {
    out?: undefined;
}): Permuted<T>;

export declare function permuteWeights<T extends WeightsLike>(weights: WeightsLike, options: PermuteOptions & {
    out: T;
}): T;

export declare function pixelPositions(pixelMask: ArrayLike2D | UntypedTensor): MaskedPositions[];

export declare function positionIds(attentionMask: Tokens, options?: PositionIdOptions): IdTensor<OwnedBigInt64Array>;

export declare function positionIds(tokens: Tokens, options: PositionIdOptions & {
    type: "int64";
}): IdTensor<OwnedBigInt64Array>;

export declare function positionIds(tokens: Tokens, options?: PositionIdOptions): IdTensor;

export declare function positionIds<T extends RuntimeTensor>(attentionMask: T, options?: PositionIdOptions): T;

export declare function positionIds<T>(attentionMask: IdsLike | Tokens, options: PositionIdOptions & Injected<T>): T;

export declare function queryTemperature<T extends InputTensor = Tensor>(core: Core, options: At & {
    temperature: Temperature;
} & OutOption<T>): T | Tensor;

export declare function readConfig(config: unknown, options?: ConfigOptions): ConfigReading;

export declare function readGguf(metadata: unknown, options?: GgufOptions): ConfigReading;

export declare function readStep(options: StepOptions): () => OptimizerFields;

export declare function relativeShift<T extends InputTensor = Tensor>(core: Core, x: InputTensor, options: ShiftOptions & OutOption<T>): T | Tensor;

export declare function resizeLearned<S extends Spec>(table: LearnedTable<S>, options: ResizeOptions): LearnedTable<S>;

export declare function resizeWindow<S extends Spec>(bias: WindowBias<S>, options: WindowResizeOptions): WindowBias<S>;

export declare function restoreCache<T = RuntimeTensor>(pe: CacheLibrary, files: Files, options: RestoreTensorOptions<T>): Promise<Record<string, T>>;

export declare function rotaryInputs<T = RuntimeTensor>(encoding: RotaryEncoding<any>, options: RotaryInputOptions<T>): {
    cos: T;
    sin: T;
};

export declare function saveCache(pe: CacheLibrary, cache: object | LayerCaches, options?: SaveOptions): Promise<Blob>;

export declare function scoreTerms(core: Core, x: InputTensor, table: InputTensor, wq: InputTensor, wk: InputTensor): ScoreTerms;

export declare function shiftCache(cache: object, encoding: LayerEncodings, options: ShiftOptions): number;

export declare function similarity<T extends InputTensor = Tensor>(core: Core, table: InputTensor, out?: T): T | Tensor;

export declare function specFromConfig(config: unknown, options?: ConfigOptions): Spec;

export declare function specFromGguf(metadata: unknown, options?: GgufOptions): Spec;

export declare function spliceCache<T = RuntimeTensor>(pe: CacheLibrary, files: Files, options: SpliceOptions<T>): Promise<Record<string, T>>;

export declare function toOrt<T>(x: GpuTensor, Tensor: OrtTensorClass<T>): T;

export declare function usePositions(env: EnvLike, pe: Library, models: Readonly<Record<string, RewriteOptions>>, work?: WorkOptions): Undo;

export declare function webgpu(pe: PosencLike, device: GpuDevice | null | undefined, options: WebgpuOptions & {
    fallback: "wasm";
}): Promise<Gpu<true>>;

export declare function webgpu(pe: PosencLike, device?: GpuDevice | null, options?: WebgpuOptions): Promise<Gpu>;

export declare function withRollingCache(model: ModelLike, encoding: LayerEncodings, options: RollingOptions): Undo;

export declare function withRotaryTables(model: ModelLike, encoding: RotaryEncoding<any>, options?: RotaryTableOptions): Undo;

export interface AdamOptions extends AnyStepOptions {
    optimizer: "adam" | "adamw";
    betas?: readonly [
        number,
        number
    ];
    epsilon?: number;
}

export interface AddPositionalOptions<T = RuntimeTensor> extends TableAt, DropoutOptions, TensorOption<T>, GpuOption {
    mask?: IdsLike;
}

export interface Adder extends Converter {
    toFloat32(x: any): {
        data: Float32Array;
    };
}

export interface AlibiSpec {
    kind: "alibi";
    heads: number;
    maxBias?: number;
    form?: "relative" | "key" | "key-absolute";
    activeHeads?: number;
    slopes?: ParameterData;
}

export interface ApplyBiasOptions extends BiasPositions, VisibilityOptions {
}

export interface ApplyOptions extends RotaryAt, LayoutOption, RoleOption {
    inverse?: boolean;
    transpose?: boolean;
}

export interface ArrayLike2D {
    readonly data: NumberArray;
    readonly dims: readonly number[];
}

export interface At {
    length?: number;
    offset?: number;
    positions?: Positions;
    grid?: readonly number[];
}

export interface AttendOptions<F extends Family = Family> extends Omit<AttentionOptions, "layout" | "at" | "queryAt" | "encoding" | "gateKeys"> {
    encoding?: AttentionEncoding<F> | null;
}

export interface AttentionAt extends Omit<At, "length">, SequenceOption, PrefixOption {
}

export interface AttentionBackwardOptions<F extends Family = Family> extends AttentionOptions<F>, GradientsOut {
}

export interface AttentionBiasOptions<T = RuntimeTensor> extends BiasPositions, TensorOption<T>, GpuOption {
    queries?: number;
    keys?: number;
    mask?: IdsLike;
    causal?: boolean;
    type?: FloatType;
}

export interface AttentionGradients<T extends InputTensor = Tensor> {
    q: T;
    k: T;
    v: T;
    bias?: T;
    sinks?: T;
    gateKeys?: T;
    logGates?: T;
    directions?: T;
    strengths?: T;
    gateRows?: T;
    relativeStates?: T;
}

export interface AttentionOptions<F extends Family = Family> extends LayoutOption, VisibilityOptions, TokenOptions {
    encoding?: AttentionEncoding<F>;
    causal?: boolean;
    window?: number | readonly [
        number,
        number
    ];
    bias?: InputTensor;
    scale?: number;
    softcap?: number;
    temperature?: Temperature;
    remap?: Remap;
    sinks?: NumberArray;
    at?: AttentionAt;
    queryAt?: AttentionAt;
    gateKeys?: InputTensor;
}

export interface AxisIds<T extends Int32Array | BigInt64Array = OwnedInt32Array> extends IdTensor<T> {
    readonly axes: T[];
}

export interface Bfloat16Result extends Bfloat16Tensor<OwnedUint16Array> {
    readonly dims: number[];
}

export interface Bfloat16Tensor<Data extends Uint16Array = Uint16Array> {
    readonly type: "bfloat16";
    readonly data: Data;
    readonly dims: readonly number[];
}

export interface BiasBackwardOptions extends ApplyBiasOptions {
    scores?: InputTensor;
}

export interface BiasExplanation extends Explained {
    family: "bias";
    heads: number;
    slopes: OwnedFloat32Array | undefined;
    reach: {
        halved: number[];
        nat: number[];
        masked: number[];
    } | undefined;
}

export interface BiasOptions extends ApplyBiasOptions {
    queries: number;
    keys: number;
}

export interface BiasPositions {
    offset?: number;
    keyPositions?: Exclude<Positions, readonly NumberArray[]>;
}

export interface BinarySpec {
    kind: "binary";
    dim: number;
}

export interface BucketOptions extends BiasPositions {
    queries: number;
    keys: number;
}

export interface CacheBytes {
    readonly bytes: number;
    readonly layers: readonly LayerCache[];
}

export interface CacheBytesOptions {
    length: number;
    type?: "float32" | "float16" | "bfloat16" | "int8";
    batch?: number;
    latent?: "compressed" | "expanded";
}

export interface CacheInfo {
    readonly length: number;
    readonly type: CacheFileType;
    readonly cacheType: "float32" | "float16";
    readonly axes: number;
    readonly sequenceLength: number;
    readonly isRotated: boolean;
    readonly hasTokens: boolean;
    readonly layers: readonly LayerInfo[];
    readonly rotations: readonly RotationInfo[];
    readonly model: ModelNames;
}

export interface CacheLibrary {
    toFloat32(x: any): {
        readonly data: Float32Array;
    };
    toFloat16(x: any): {
        readonly data: unknown;
    };
}

export interface CacheOptions<F extends Family = Family> extends LayoutOption {
    heads: number;
    dim: number;
    valueDim?: number;
    capacity?: number;
    encoding?: AttentionEncoding<F> | null;
    batch?: number;
    type?: "float32" | "float16" | "int8";
    policy?: CachePolicy;
}

export interface CachePolicy {
    window: number;
    sinks?: number;
    undo?: number;
}

export interface CacheSnapshot {
    length: number;
    type: CacheType;
    encoding?: object | null | undefined;
    state: OwnedUint8Array;
}

export interface CallOptions extends WorkOptions {
    transfer?: boolean;
}

export interface Calls {
    [Operation.createEncoding]: [
        text: List,
        numbers: List,
        ...beginning: BeginningFields,
        handle: Address
    ];
    [Operation.parameterFacts]: [
        encoding: Handle,
        index: number,
        gradient: boolean,
        out: Address
    ];
    [Operation.checkApart]: [
        encoding: Handle,
        out: Region
    ];
    [Operation.tableFacts]: [
        encoding: Handle,
        out: Address
    ];
    [Operation.tableFrequencies]: [
        encoding: Handle,
        out: Address
    ];
    [Operation.tableCheck]: [
        encoding: Handle,
        x: Region,
        positions: PositionRegion
    ];
    [Operation.tableRows]: [
        encoding: Handle,
        positions: PositionRegion,
        out: Region
    ];
    [Operation.tableAdd]: [
        encoding: Handle,
        x: Region,
        positions: PositionRegion,
        ...dropout: DropoutFields
    ];
    [Operation.tableConcat]: [
        encoding: Handle,
        x: Region,
        positions: PositionRegion,
        out: Region
    ];
    [Operation.tableShift]: [
        encoding: Handle,
        k: number,
        out: Region
    ];
    [Operation.rotaryFacts]: [
        encoding: Handle,
        out: Address
    ];
    [Operation.rotaryFrequencies]: [
        encoding: Handle,
        sequenceLength: number,
        out: Address
    ];
    [Operation.rotaryTables]: [
        encoding: Handle,
        positions: PositionRegion,
        sequenceLength: number,
        cosine: Region,
        sine: Region,
        role: Role
    ];
    [Operation.rotaryAngles]: [
        encoding: Handle,
        positions: PositionRegion,
        sequenceLength: number,
        out: Address
    ];
    [Operation.rotaryCheck]: [
        encoding: Handle,
        x: Region,
        layout: HeadLayout,
        positions: PositionRegion,
        sequenceLength: number,
        role: Role
    ];
    [Operation.rotaryApply]: [
        encoding: Handle,
        x: Region,
        layout: HeadLayout,
        positions: PositionRegion,
        sequenceLength: number,
        direction: Direction,
        role: Role
    ];
    [Operation.rotaryRerotate]: [
        encoding: Handle,
        fromEncoding: Handle,
        x: Region,
        layout: HeadLayout,
        from: PositionRegion,
        to: PositionRegion,
        fromLength: number,
        toLength: number
    ];
    [Operation.biasFacts]: [
        encoding: Handle,
        out: Address
    ];
    [Operation.biasRows]: [
        encoding: Handle,
        ...call: BiasFields,
        out: Region
    ];
    [Operation.biasApply]: [
        encoding: Handle,
        ...call: BiasFields,
        scores: Region
    ];
    [Operation.biasBuckets]: [
        encoding: Handle,
        ...call: BiasFields,
        out: Region
    ];
    [Operation.float32FromFloat16]: [
        from: List,
        to: Address
    ];
    [Operation.float16FromFloat32]: [
        from: List,
        to: Address
    ];
    [Operation.float32FromBfloat16]: [
        from: List,
        to: Address
    ];
    [Operation.bfloat16FromFloat32]: [
        from: List,
        to: Address
    ];
    [Operation.checksum]: [
        from: List,
        out: Address
    ];
    [Operation.rowsByHead]: [
        from: List,
        tokens: number,
        heads: number,
        to: Address
    ];
    [Operation.attention]: [
        q: Region,
        k: Region,
        v: Region,
        ...options: AttentionFields,
        chunks: Address,
        out: Region
    ];
    [Operation.attentionRows]: [
        q: Region,
        k: Region,
        ...options: AttentionFields,
        out: Region,
        wanted: AttentionRows
    ];
    [Operation.contextPositions]: [
        q: Region,
        k: Region,
        ...options: AttentionFields,
        out: Region
    ];
    [Operation.queryTemperature]: [
        positions: PositionRegion,
        ...temperature: TemperatureFields,
        out: Region
    ];
    [Operation.similarity]: [
        table: Region,
        out: Region
    ];
    [Operation.distanceProfile]: [
        encoding: Handle,
        out: Region
    ];
    [Operation.scoreTerms]: [
        x: Region,
        table: Region,
        wq: Region,
        wk: Region,
        contentContent: Region,
        contentPosition: Region,
        positionContent: Region,
        positionPosition: Region
    ];
    [Operation.relativeBuckets]: [
        encoding: Handle,
        distances: List,
        out: Address
    ];
    [Operation.relativeExpand]: [
        encoding: Handle,
        x: Region,
        isKey: boolean,
        layout: HeadLayout,
        positions: PositionRegion,
        out: Region
    ];
    [Operation.relativeGates]: [
        encoding: Handle,
        x: Region,
        layout: HeadLayout,
        out: Region
    ];
    [Operation.relativeApply]: [
        encoding: Handle,
        x: Region,
        layout: HeadLayout,
        positions: PositionRegion,
        direction: Direction
    ];
    [Operation.relativeFrequencies]: [
        encoding: Handle,
        out: List
    ];
    [Operation.cumulativePhases]: [
        gates: Region,
        form: GateForm,
        scale: number,
        out: List
    ];
    [Operation.relativeShift]: [
        x: Region,
        zeroWrapped: boolean,
        out: Region
    ];
    [Operation.zeroGradients]: [
        encoding: Handle
    ];
    [Operation.optimizerStep]: [
        encoding: Handle,
        ...optimizer: OptimizerFields
    ];
    [Operation.tableBackward]: [
        encoding: Handle,
        gradient: Region,
        positions: PositionRegion,
        ...options: ScatterFields
    ];
    [Operation.rotaryBackward]: [
        encoding: Handle,
        x: Region,
        gradient: Region,
        layout: HeadLayout,
        positions: PositionRegion,
        sequenceLength: number,
        role: Role
    ];
    [Operation.biasBackward]: [
        encoding: Handle,
        ...call: BiasFields,
        gradient: Region,
        scores: Region
    ];
    [Operation.attentionBackward]: [
        q: Region,
        k: Region,
        v: Region,
        gradient: Region,
        ...out: GradientFields,
        ...options: AttentionFields
    ];
    [Operation.relativeGatesBackward]: [
        encoding: Handle,
        x: Region,
        gradient: Region,
        layout: HeadLayout,
        out: Region
    ];
    [Operation.relativeApplyBackward]: [
        encoding: Handle,
        x: Region,
        gradient: Region,
        layout: HeadLayout,
        positions: PositionRegion
    ];
    [Operation.createCache]: [
        ...spec: CacheFields,
        handle: Address
    ];
    [Operation.cacheFacts]: [
        cache: Address,
        out: Address
    ];
    [Operation.cacheAppend]: [
        cache: Address,
        encoding: Handle,
        k: Region,
        v: Region,
        positions: PositionRegion
    ];
    [Operation.cacheAttend]: [
        cache: Address,
        q: Region,
        ...options: AttentionFields,
        chunks: Address,
        out: Region
    ];
    [Operation.cacheRead]: [
        cache: Address,
        encoding: Handle,
        k: Region,
        v: Region
    ];
    [Operation.cachePositions]: [
        cache: Address,
        out: List
    ];
    [Operation.cacheTruncate]: [
        cache: Address,
        length: number
    ];
    [Operation.cacheClear]: [
        cache: Address
    ];
    [Operation.cacheEvict]: [
        cache: Address,
        first: number,
        count: number
    ];
    [Operation.cacheShift]: [
        cache: Address,
        encoding: Handle,
        delta: List
    ];
    [Operation.cacheReorder]: [
        cache: Address,
        rows: List
    ];
    [Operation.cacheSnapshot]: [
        cache: Address,
        out: List
    ];
    [Operation.cacheRestore]: [
        cache: Address,
        from: List,
        length: number
    ];
    [Operation.tableResize]: [
        table: Region,
        ...options: ResizeFields,
        out: Region
    ];
}

export interface Change {
    readonly name: string;
    readonly what: string;
}

export interface ChunkRange {
    readonly first: number;
    readonly most: number;
    all: number;
}

export interface Code {
    attention: typeof attentionPart;
    relative: typeof relativePart;
    training: typeof trainingPart;
    cache: typeof cachePart;
    resize: typeof resizePart;
    config: typeof configPart;
    ids: typeof idsPart;
}

export interface Comparison {
    same: boolean;
    interchangeable: Interchangeable;
    note: string;
    differences: Difference[];
    assumed: {
        a: readonly string[];
        b: readonly string[];
    };
}

export interface ConfigOptions {
    layerType?: string;
    pairing?: Pairing;
}

export interface ConfigReading {
    readonly spec: Spec;
    readonly assumed: readonly string[];
    readonly ignored: readonly string[];
}

export interface ConfigReport {
    readonly format: "config";
    readonly file: string;
    readonly bytes: number;
    readonly layers: readonly LayerGroup[];
    readonly findings: readonly Pick<Finding, "severity" | "code" | "message">[];
    readonly cache?: OnnxReport["cache"];
}

export interface ContextLogitsOptions extends LogitsOptions, Pick<AttentionOptions, "gateKeys"> {
}

export interface ContextRelative<S extends Spec = CopeSpec> {
    logits<Out extends InputTensor | undefined = undefined>(q: InputTensor, k: InputTensor, options?: ContextLogitsOptions & OutOption<Out>): ResultIn<Out, Tensor>;
    backward<Out extends Partial<LogitsGradients<InputTensor>> = {}>(q: InputTensor, k: InputTensor, gradOut: InputTensor, options?: ContextLogitsOptions & LogitsGradientsOut<Out>): Written<LogitsGradients, Out>;
}

export interface Converter {
    toFloat16(x: InputTensor): Float16Tensor;
}

export interface CopeSpec {
    kind: "cope";
    dim: number;
    maxPosition?: number;
    scaledGates?: boolean;
    scaledPosition?: boolean;
    std?: number;
    seed?: number;
    embedding?: ParameterData;
}

export interface CoreModule {
    HEAPF64: Float64Array;
    HEAPF32: Float32Array;
    HEAPU8: Uint8Array;
    variant(): number;
    rotatesRightly(): boolean;
    attendsRightly(): boolean;
    schema(): number;
    lastError(): number;
    frameAddress(): number;
    allocate(bytes: number): number;
    release(address: number): void;
    destroyEncoding(address: number): void;
    destroyCache(address: number): void;
    _posenc_call(operation: number): number;
    owns?(buffer: unknown): boolean;
}

export interface CpuTensor {
    readonly type: GpuType;
    readonly data: any;
    readonly dims: number[];
}

export interface DataDependentAlibiSpec {
    kind: "data-dependent-alibi";
    dim: number;
    heads: number;
    bidirectional?: boolean;
    postLogScale?: number;
    biasInit?: number;
    std?: number;
    seed?: number;
    weight?: ParameterData;
    bias?: ParameterData;
}

export interface DebertaSpec {
    kind: "deberta";
    dim: number;
    heads: number;
    maxDistance?: number;
    buckets?: number;
    contentToPosition?: boolean;
    positionToContent?: boolean;
    clampDistance?: boolean;
    std?: number;
    seed?: number;
    positionKeys?: ParameterData;
    positionQueries?: ParameterData;
}

export interface Description extends KindDescription {
    title: string;
    formula: string;
    source: string;
    shapes: string;
    fields: FieldDescription[];
    parameters: ParameterDescription[];
}

export interface Difference {
    field: string;
    a: unknown;
    b: unknown;
    meaning: string;
}

export interface DropoutOptions {
    dropout?: number;
    seed?: number;
    training?: boolean;
}

export interface DualChunk {
    kind: "dual-chunk";
    chunk: number;
    local: number;
    trained?: number;
}

export interface EncodingLike {
    readonly family: Family;
    readonly kind: Kind;
}

export interface EncodingOfFamily {
    table: TableEncoding;
    rotary: RotaryEncoding;
    bias: BiasEncoding;
    relative: RelativeEncoding;
}

export interface Endable {
    dispose(): void;
    [Symbol.dispose](): void;
}

export interface EnvLike {
    readonly version?: string;
    useCustomCache: boolean;
    customCache: any;
    readonly useBrowserCache: boolean;
    readonly cacheKey?: string;
    readonly useFSCache: boolean;
    readonly cacheDir: string | null;
    readonly useFS: boolean;
    readonly allowLocalModels: boolean;
    readonly localModelPath: string;
    readonly allowRemoteModels: boolean;
    readonly remoteHost: string;
    readonly remotePathTemplate: string;
    readonly fetch?: (address: any, options?: any) => Promise<any>;
}

export interface ExpandOptions extends Pick<At, "offset" | "positions">, LayoutOption {
    role: "query" | "key";
}

export interface ExplainOptions {
    contextLength?: number;
}

export interface Explanations {
    rotary: RotaryExplanation;
    table: TableExplanation;
    bias: BiasExplanation;
    relative: RelativeExplanation;
}

export interface FieldDescription extends FieldFacts {
    example: number | boolean | string | number[] | null;
    unit: string;
    doc: string;
}

export interface FieldFacts {
    name: string;
    type: FieldType;
    required: boolean;
    default: Default;
    min: number | null;
    max: number | null;
    choices?: string[];
}

export interface FilePart {
    file: CacheFile;
    from?: number;
    to?: number;
}

export interface Finding {
    readonly severity: "error" | "warning" | "note";
    readonly code: FindingCode;
    readonly message: string;
    readonly component?: PositionalComponent;
    readonly fields?: readonly string[];
    readonly rewrite?: RewriteOptions;
}

export interface FireSpec {
    kind: "fire";
    heads: number;
    width?: number;
    length?: number;
    epsilon?: number;
    bidirectional?: boolean;
    seed?: number;
    inputWeights?: ParameterData;
    inputBias?: ParameterData;
    outputWeights?: ParameterData;
    outputBias?: ParameterData;
    c?: ParameterData;
    lengthFactor?: ParameterData;
}

export interface Fits {
    readonly originalLength: readonly number[];
}

export interface Float16ArrayLike extends ArrayBufferView, ArrayLike<number> {
    readonly [Symbol.toStringTag]: "Float16Array";
}

export interface Float16Result<Data extends Float16ArrayLike | Uint16Array = OwnedFloat16Array | OwnedUint16Array> extends Float16Tensor<Data> {
    readonly dims: number[];
}

export interface Float16Tensor<Data extends Float16ArrayLike | Uint16Array = Float16ArrayLike | Uint16Array> {
    readonly type: "float16";
    readonly data: Data;
    readonly dims: readonly number[];
}

export interface FopeSpec {
    kind: "fope";
    dim: number;
    heads?: number;
    length?: number;
    base?: number;
    floor?: "drop" | "zero" | "clamp" | "keep";
    inputDim?: number;
    outputDim?: number;
    cosinePad?: number;
    sinePad?: number;
    oneBasis?: boolean;
    gain?: number;
    seed?: number;
    cosine?: ParameterData;
    sine?: ParameterData;
}

export interface ForgetSpec {
    kind: "forget";
    heads: number;
}

export interface ForwardModel {
    forward(inputs: any): Promise<any>;
}

export interface FourierSpec {
    kind: "fourier";
    dim: number;
    inputs?: number;
    form?: "gaussian" | "geometric" | "linear";
    maxFrequency?: number;
    coordinates?: "index" | "centres" | "endpoints";
    scale?: number;
    includeInput?: boolean;
    pairing?: "interleaved" | "concat" | "grouped" | "banded";
    order?: "sin-cos" | "cos-sin";
    axisOrder?: "yx" | "xy";
    std?: number;
    seed?: number;
    frequencies?: ParameterData;
}

export interface GateBiasOptions extends LayoutOption, VisibilityOptions, Pick<AttentionOptions, "causal" | "window"> {
    queries?: number;
}

export interface GatesBackwardOptions extends LayoutOption {
    out?: InputTensor;
}

export interface GgufOptions {
    layerType?: string;
    pairing?: "half" | "interleaved";
    ropeFreqs?: ArrayLike<number>;
    shortFactors?: ArrayLike<number>;
    longFactors?: ArrayLike<number>;
}

export interface GgufReport extends Report {
    readonly format: "gguf";
    readonly version?: number;
    readonly tensorCount?: number;
    readonly metadata?: Readonly<Record<string, GgufValue>>;
    readonly factors?: Readonly<Record<string, Float64Array>>;
    readonly ignored?: readonly string[];
    readonly positions: readonly {
        readonly spec: Spec;
        readonly layerType?: string;
    }[];
}

export interface GlmIdOptions {
    bosTokenId: number;
    maskPosition: number | NumberArray;
    gmask?: boolean;
    type?: "int32" | "int64";
}

export interface GpuBiasOptions<Out> extends BiasOptions, ResultOptions<Out> {
    finite?: boolean;
}

export interface GpuBuffer {
    readonly size: number;
    readonly usage: number;
    readonly mapState?: string;
    destroy(): void;
}

export interface GpuDevice {
    readonly limits: object;
    readonly queue: object;
    readonly lost: Promise<unknown>;
    destroy(): void;
}

export interface GpuOption {
    gpu?: Gpu<any>;
}

export interface GpuResizeOptions<Out> extends ResizeOptions {
    out?: Out;
}

export interface GpuTensor<Buffer extends GpuBuffer = GpuBuffer> {
    readonly type: GpuType;
    readonly buffer: Buffer;
    readonly dims: readonly number[];
    readonly offset?: number;
}

export interface GradientsOut<Out = Partial<AttentionGradients<InputTensor>>> {
    out?: Out & No<Exclude<keyof Out, keyof AttentionGradients>>;
}

export interface GrapeASpec {
    kind: "grape-a";
    dim: number;
    heads: number;
    gates?: "key" | "query" | "query-key";
    normalize?: boolean;
    seed?: number;
    omega?: ParameterData;
    u?: ParameterData;
    v?: ParameterData;
}

export interface GrapeApSpec {
    kind: "grape-ap";
    heads: number;
}

export interface GrapeMSpec {
    kind: "grape-m";
    dim: number;
    heads?: number;
    base?: number;
    logScale?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    logFrequencies?: ParameterData;
}

export interface GridIdOptions {
    mergeSize?: number;
    columns?: number;
    offset?: number;
    type?: "int32" | "int64";
}

export interface IdTensor<T extends Int32Array | BigInt64Array = OwnedInt32Array> {
    readonly type: T extends BigInt64Array ? "int64" : "int32";
    readonly data: T;
    readonly dims: number[];
}

export interface InitOptions {
    source?: Source;
    variant?: "auto" | Variant;
    threads?: number;
    parts?: "all" | readonly LibraryPart[];
}

export interface InklingSpec {
    kind: "inkling";
    relativeDim?: number;
    extent?: number;
    std?: number;
    seed?: number;
    profiles?: ParameterData;
}

export interface InspectOptions extends WorkOptions {
    config?: string | URL | Blob | object;
}

export interface InspectorLibrary extends Omit<Library, "load"> {
    load(...parts: readonly ("config" | "resize" | "relative")[]): Promise<void>;
    explain(spec: Spec): Promise<{
        readonly summary: string;
    }>;
}

export interface IntegerSpec {
    kind: "integer";
    dim?: number;
}

export interface KeepOptions<Out> {
    ranges?: readonly (readonly [
        number,
        number
    ])[];
    sinks?: number;
    window?: number;
    axis?: number;
    out?: Out;
}

export interface KerpleSpec {
    kind: "kerple";
    heads: number;
    form?: "log" | "power" | "weighted" | "log-power";
    bidirectional?: boolean;
    seed?: number;
    amplitude?: ParameterData;
    rate?: ParameterData;
    exponent?: ParameterData;
    weightRate?: ParameterData;
    weightExponent?: ParameterData;
}

export interface KindDescription {
    kind: Kind;
    family: Family;
    fields: FieldFacts[];
    parameters: {
        name: string;
    }[];
    calls: string[];
}

export interface KindProse extends Pick<Description, "formula" | "source" | "shapes" | "parameters"> {
    fields: Record<string, Pick<FieldDescription, "unit" | "example">>;
}

export interface KindsOf {
    table: "one-hot" | "integer" | "normalized" | "binary" | "periodic" | "sinusoidal" | "sinusoidal-2d" | "sinusoidal-3d" | "fourier" | "learned";
    rotary: "rope" | "rope-linear" | "rope-ntk" | "rope-ntk-by-parts" | "rope-dynamic" | "rope-qwen" | "rope-yarn" | "rope-longrope" | "rope-llama3" | "rope-proportional" | "rope-mrope" | "rope-axial" | "xpos";
    bias: "alibi" | "t5" | "swin" | "swin-v2" | "kerple" | "sandwich" | "fire" | "mask" | "none";
    relative: "shaw" | "nezha" | "transformer-xl" | "deberta" | "cope" | "pope" | "forget" | "data-dependent-alibi" | "per-row-alibi" | "path" | "grape-a" | "grape-ap" | "inkling" | "rope-mixed" | "fope" | "grape-m" | "liere" | "string";
}

export interface KindsWith {
    shift: "sinusoidal";
    weights: "learned";
    slopes: "alibi";
    buckets: "t5" | "swin-v2";
    resize: "swin";
    addTo: "none";
    bucketOf: "shaw" | "nezha" | "deberta";
    contextPositions: "cope";
    expand: "pope";
    logGates: "forget" | "data-dependent-alibi";
    gateRows: "per-row-alibi";
    biasOf: "grape-a";
    biasOfRows: "grape-ap";
    relativeLogits: "inkling";
    apply: "rope-mixed" | "fope" | "grape-m" | "liere" | "string";
}

export interface Layer extends LayerFacts {
    readonly encoding: AnyEncoding | null;
    readonly input?: AnyEncoding;
}

export interface LayerCache {
    readonly part: Part;
    readonly layer: number;
    readonly type: string;
    readonly tokens: number;
    readonly values: number;
    readonly bytes: number;
}

export interface LayerChoice {
    readonly part?: "text" | "vision" | "audio" | "encoder" | "decoder";
    readonly pairing?: "half" | "interleaved";
}

export interface LayerFacts {
    readonly part: Part;
    readonly layer: number;
    readonly type: string;
    readonly window?: number | readonly [
        number,
        number
    ];
    readonly chunk?: number;
    readonly temperature?: Temperature;
    readonly remap?: Remap;
    readonly assumed: readonly string[];
    readonly ignored: readonly string[];
    readonly note?: string;
}

export interface LayerGroup extends Omit<LayerSpec, "layer"> {
    readonly layers: readonly number[];
}

export interface LayerInfo {
    readonly names: readonly [
        key: string,
        value: string
    ];
    readonly heads: number;
    readonly dim: number;
    readonly valueDim: number;
    readonly rotation: number | null;
    readonly window?: number;
}

export interface LayerLike {
    readonly encoding: Encoding<any> | null;
    readonly note?: string;
}

export interface LayerOptions extends Pick<ConfigOptions, "pairing"> {
    part?: Part;
}

export interface LayerSpec extends LayerFacts {
    readonly spec: Spec | null;
    readonly input?: Spec;
}

export interface LayoutOption {
    layout?: Layout;
}

export interface LearnedSpec {
    kind: "learned";
    length: number;
    dim: number;
    start?: number;
    std?: number;
    seed?: number;
    weights?: ParameterData;
}

export interface Library {
    create(spec: Spec): unknown;
    fromConfig(config: unknown, options?: {
        layerType?: string;
        pairing?: "half" | "interleaved";
    }): {
        readonly family: string;
        readonly spec: Spec;
        readonly assumed: readonly string[];
        readonly ignored: readonly string[];
    };
    load?(...parts: readonly ("config" | "resize")[]): Promise<void>;
    layerSpecs?(config: object, options?: LayerChoice): readonly LibraryLayerSpec[];
    resizeTable(table: Tensor, options: ResizeTableOptions): Tensor;
}

export interface LibraryLayerSpec {
    readonly part: string;
    readonly type: string;
    readonly spec: Spec | null;
    readonly window?: number | readonly [
        number,
        number
    ];
    readonly remap?: Remap;
    readonly temperature?: Temperature;
    readonly assumed: readonly string[];
}

export interface LiereSpec {
    kind: "liere";
    dim: number;
    heads?: number;
    axes?: number;
    blockDim?: number;
    modelGrid?: readonly number[] | Float32Array | Float64Array | null;
    seed?: number;
    generators?: ParameterData;
}

export interface List {
    address: Address;
    length: number;
}

export interface LlamaCppOptions {
    readonly flags: readonly string[];
    readonly wllama: Readonly<Record<string, string | number>>;
}

export interface LogTemperature {
    rule: "log-n";
    length: number;
    offset?: number;
}

export interface LogitsBackwardOptions extends LogitsOptions, LogitsGradientsOut {
}

export interface LogitsGradientsOut<Out = Partial<LogitsGradients<InputTensor>>> {
    out?: Out & No<Exclude<keyof Out, keyof LogitsGradients>>;
}

export interface LogitsOptions extends Pick<At, "offset" | "positions" | "grid">, PrefixOption, VisibilityOptions, TokenOptions, Pick<AttentionOptions, "causal" | "window" | "layout" | "queryAt"> {
}

export interface MaskSpec {
    kind: "mask";
    heads?: number;
    causal?: boolean;
    windowLeft?: number;
    windowRight?: number;
    hidden?: number | null;
}

export interface MaskedPositions {
    positions: [
        OwnedFloat64Array,
        OwnedFloat64Array
    ];
    grid: [
        number,
        number
    ];
}

export interface Model {
    readonly id: string;
    readonly name: string;
    readonly family: string;
    readonly modality: "text" | "image" | "image-text" | "audio";
    readonly year: number;
    readonly source: string;
    readonly spec: Spec;
    readonly config?: Config;
    readonly layerType?: string;
    readonly contextLength: number | null;
    readonly checked?: readonly string[];
    readonly unchecked: readonly ("spec" | "contextLength")[];
    readonly note?: string;
}

export interface ModelLike {
    _forward: Forward;
    readonly sessions: Readonly<Record<string, Session>>;
}

export interface ModelNames {
    readonly id?: string;
    readonly weights?: string;
    readonly tokenizer?: string;
}

export interface MoveOptions extends RerotateOptions {
    encoding?: RotaryEncoding<any>;
}

export interface MropeIds<T extends Int32Array | BigInt64Array = OwnedInt32Array> {
    positions: AxisIds<T>;
    delta: number;
    next: number;
}

export interface MropeOptions {
    mergeSize?: number;
    after?: "spatial" | "maximum";
    offset?: number;
    padding?: number;
    type?: "int32" | "int64";
}

export interface Nested<S> {
    readonly [schemaOf]?: S;
}

export interface NezhaSpec {
    kind: "nezha";
    dim: number;
    maxDistance?: number;
    base?: number;
    withValues?: boolean;
}

export interface NoTypeOption {
    type?: undefined;
}

export interface NoneLike extends EncodingLike {
    readonly kind: "none";
}

export interface NoneSpec {
    kind: "none";
    heads?: number;
}

export interface NormalizedSpec {
    kind: "normalized";
    dim?: number;
    length?: number;
}

export interface OneHotSpec {
    kind: "one-hot";
    dim: number;
}

export interface OnnxReport extends Report {
    readonly format: "onnx";
    readonly config?: string;
    readonly cache?: {
        readonly tokens: number;
        readonly type: string;
        readonly bytes: number;
    };
    readonly externalData?: readonly string[];
    readonly missing?: readonly string[];
    readonly assumed?: readonly string[];
    readonly ignored?: readonly string[];
    readonly positions: readonly PositionalComponent[];
}

export interface OpenOptions extends WorkOptions {
    readonly externalData?: Readonly<Record<string, FileSource>> | ((location: string) => Promise<FileSource | undefined>);
}

export interface OrtTensor {
    readonly type: string;
    readonly dims: readonly number[];
    readonly location: string;
}

export interface OrtTensorClass<T> {
    fromGpuBuffer(buffer: any, options: any): T;
}

export interface OutOption<Out extends InputTensor | undefined = InputTensor | undefined> {
    out?: Out;
}

export interface OwnGpuTensor extends GpuTensor<DeviceBuffer> {
    dispose(): void;
    [Symbol.dispose](): void;
}

export interface PairRun {
    first: number;
    last: number;
    change: PairChange;
    ratio: [
        number,
        number
    ];
}

export interface ParameterDescription {
    name: string;
    axes: string;
    doc: string;
}

export interface PathSpec {
    kind: "path";
    dim: number;
}

export interface PerRowAlibiSpec {
    kind: "per-row-alibi";
    dim: number;
    heads: number;
    gateDim?: number;
    postLogScale?: number;
    std?: number;
    seed?: number;
    weight?: ParameterData;
}

export interface PeriodicSpec {
    kind: "periodic";
    dim: number;
}

export interface PermuteOptions {
    heads: number;
    dim?: number;
    rotaryDim?: number;
    rotaryStart?: number;
    from: "half" | "interleaved";
    to: "half" | "interleaved";
    out?: WeightsLike;
}

export interface PhaseOptions {
    form?: "sigmoid" | "softplus";
    scale?: number;
}

export interface PopeSpec {
    kind: "pope";
    dim: number;
    heads: number;
    rotaryDim?: number;
    base?: number;
    bias?: ParameterData;
}

export interface PosencInspector extends HTMLElement {
    src: string;
    config: string;
    file: Blob | Iterable<Blob> | undefined;
    library: InspectorLibrary | (() => Promise<InspectorLibrary>) | undefined;
    readonly state: InspectorState;
    readonly report: InspectorReport | undefined;
    inspect(source: InspectorSource, options?: InspectOptions): Promise<InspectorReport>;
    addEventListener<Name extends keyof PosencInspectorEventMap>(type: Name, listener: (event: PosencInspectorEventMap[Name]) => void, options?: boolean | AddEventListenerOptions): void;
    addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

export interface PosencInspectorEventMap {
    readonly inspected: CustomEvent<InspectorReport>;
    readonly failed: CustomEvent<Error>;
}

export interface PositionArrays {
    axes: readonly NumberArray[];
    perRow?: number | undefined;
}

export interface PositionIdOptions {
    padding?: number | "repeat" | "continue";
    start?: number;
    pastLength?: number | NumberArray;
    packed?: boolean;
    type?: "int32" | "int64";
}

export interface PositionRegion {
    address: Address;
    given: number;
    offset: number;
    count: number;
    extent: readonly number[];
    stride: number;
}

export interface PositionalComponent {
    readonly family: "table" | "rotary" | "bias" | "relative";
    readonly form: string;
    readonly changeable?: false;
    readonly layers: readonly number[];
    readonly heads?: number;
    readonly dim?: number;
    readonly pairing?: "half" | "interleaved";
    readonly rows?: number;
    readonly grid?: readonly [
        number,
        number
    ];
    readonly type: DataType;
    readonly attentionFactor?: number;
    readonly frequencies?: OwnedFloat64Array;
    readonly spec?: Spec;
    readonly fits?: Fits;
    readonly error?: number;
    readonly maxLength?: number;
    readonly buckets?: number;
    readonly maxDistance?: number | undefined;
    readonly where: {
        readonly tensors: readonly string[];
        readonly nodes: readonly string[];
    };
}

export interface PrefixOption {
    prefix?: number;
}

export interface Progress {
    readonly done: number;
    readonly total: number;
}

export interface RandomAccess {
    readonly size: number;
    read(offset: number, length: number): Uint8Array | Promise<Uint8Array>;
}

export interface ReRope {
    kind: "rerope";
    window: number;
    leak?: number;
}

export interface ReadingOptions {
    encoding?: RotaryLike | NoneLike | null;
    out?: {
        k?: InputTensor;
        v?: InputTensor;
    };
}

export interface Recommendation {
    useCase: string;
    kind: string;
    spec: Spec;
    alternatives: readonly string[];
    reason: string;
    models: readonly string[];
}

export interface Region extends List {
    dims: readonly number[];
}

export interface RelativeExplanation extends Explained {
    family: "relative";
}

export interface RelativeLogitsOptions extends LayoutOption, VisibilityOptions, Pick<AttentionOptions, "causal" | "window" | "at" | "queryAt" | "temperature"> {
    keys?: number;
}

export interface RerotateOptions extends RotaryAt, LayoutOption {
    from: Positions | number | RotaryLike;
    to: Positions | number | RotaryLike;
    fromSequenceLength?: number;
}

export interface ResizeOptions {
    grid?: readonly number[];
    length?: number;
    from?: readonly number[];
    prefix?: number;
    suffix?: number;
    mode?: "nearest" | "linear" | "bilinear" | "bicubic";
    antialias?: boolean;
    alignCorners?: boolean;
    scaleOffset?: number;
}

export interface ResizeTableOptions extends ResizeOptions {
    transpose?: boolean;
}

export interface RestoreOptions extends WorkOptions {
    encoding: LayerEncodings;
    at?: number | NumberArray;
    sequenceLength?: number;
    model?: ModelNames;
    tokens?: NumberArray;
}

export interface RestoreTensorOptions<T> extends RestoreOptions, TensorOption<T> {
    type?: "float32" | "float16";
}

export interface ResultOptions<Out> {
    type?: GpuType;
    out?: Out;
}

export interface RewriteOptions {
    readonly rotary?: RotaryChoice | ((component: PositionalComponent) => RotaryChoice | undefined);
    readonly bias?: BiasChoice | ((component: PositionalComponent) => BiasChoice | undefined);
    readonly length?: number;
    readonly grid?: readonly number[];
    readonly resize?: "nearest" | "linear" | "bicubic" | {
        readonly mode: "nearest" | "linear" | "bicubic";
        readonly alignCorners?: boolean;
    };
    readonly window?: ByLayer<WindowSize>;
    readonly remap?: ByLayer<Remap>;
    readonly temperature?: ByLayer<Temperature>;
    readonly angles?: "float32";
    readonly tables?: "inputs" | ((component: PositionalComponent) => "inputs" | undefined);
    readonly attention?: boolean;
    readonly partial?: boolean;
}

export interface RoleOption {
    role?: "query" | "key";
}

export interface RollingOptions extends Omit<ShiftOptions, "delta"> {
    evict?: number;
}

export interface RopeAxialSpec {
    kind: "rope-axial";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    axes?: number;
    axisDims?: readonly number[] | Float32Array | Float64Array | null;
    axisOrder?: readonly number[] | Float32Array | Float64Array | null;
    form?: "own" | "strided" | "pixel";
    maxFrequency?: number;
    coordinates?: "index" | "endpoints" | "centres";
    start?: number;
    scale?: number;
    separateAxes?: boolean;
    float16Frequencies?: boolean;
    float16Angles?: boolean;
}

export interface RopeDynamicSpec {
    kind: "rope-dynamic";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    sections?: readonly number[] | Float32Array | Float64Array | null;
    interleavedSections?: boolean;
    axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
    factor: number;
    originalLength: number;
}

export interface RopeLinearSpec {
    kind: "rope-linear";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    sections?: readonly number[] | Float32Array | Float64Array | null;
    interleavedSections?: boolean;
    axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
    factor: number;
}

export interface RopeLlama3Spec {
    kind: "rope-llama3";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    sections?: readonly number[] | Float32Array | Float64Array | null;
    interleavedSections?: boolean;
    axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
    factor: number;
    lowFrequencyFactor?: number;
    highFrequencyFactor?: number;
    originalLength: number;
}

export interface RopeLongropeSpec {
    kind: "rope-longrope";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    sections?: readonly number[] | Float32Array | Float64Array | null;
    interleavedSections?: boolean;
    axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
    shortFactor: readonly number[] | Float32Array | Float64Array;
    longFactor: readonly number[] | Float32Array | Float64Array;
    originalLength: number;
    factor?: number;
    attentionFactor?: number | null;
}

export interface RopeMixedSpec {
    kind: "rope-mixed";
    dim: number;
    heads: number;
    rotaryDim?: number;
    axes?: number;
    axisOrder?: readonly number[] | Float32Array | Float64Array | null;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    seed?: number;
    frequencies?: ParameterData;
}

export interface RopeMropeSpec {
    kind: "rope-mrope";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    sections: readonly number[] | Float32Array | Float64Array;
    interleavedSections?: boolean;
}

export interface RopeNtkByPartsSpec {
    kind: "rope-ntk-by-parts";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    sections?: readonly number[] | Float32Array | Float64Array | null;
    interleavedSections?: boolean;
    axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
    factor: number;
    originalLength: number;
}

export interface RopeNtkSpec {
    kind: "rope-ntk";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    sections?: readonly number[] | Float32Array | Float64Array | null;
    interleavedSections?: boolean;
    axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
    factor: number;
}

export interface RopeProportionalSpec {
    kind: "rope-proportional";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    sections?: readonly number[] | Float32Array | Float64Array | null;
    interleavedSections?: boolean;
    axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
    factor?: number;
}

export interface RopeQwenSpec {
    kind: "rope-qwen";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    sections?: readonly number[] | Float32Array | Float64Array | null;
    interleavedSections?: boolean;
    axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
    originalLength: number;
}

export interface RopeSpec {
    kind: "rope";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    sections?: readonly number[] | Float32Array | Float64Array | null;
    interleavedSections?: boolean;
    axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
    frequencies?: readonly number[] | Float32Array | Float64Array | null;
}

export interface RopeYarnSpec {
    kind: "rope-yarn";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    sections?: readonly number[] | Float32Array | Float64Array | null;
    interleavedSections?: boolean;
    axisOfPair?: readonly number[] | Float32Array | Float64Array | null;
    factor: number;
    originalLength: number;
    betaFast?: number;
    betaSlow?: number;
    truncate?: boolean;
    mscale?: number;
    mscaleAllDim?: number;
    attentionFactor?: number | null;
}

export interface RotaryAt extends At, SequenceOption {
}

export interface RotaryBackwardOptions extends RotaryAt, LayoutOption, RoleOption {
}

export interface RotaryExplanation extends Explained, Omit<RotaryRegime, "fromLength" | "toLength"> {
    family: "rotary";
    attentionFactor: number;
    contextLength: number | undefined;
    rotations: OwnedFloat64Array | undefined;
    regimes: RotaryRegime[];
}

export interface RotaryInputOptions<T = RuntimeTensor> extends Omit<RotaryAt, "positions">, RoleOption, TensorOption<T>, GpuOption {
    positions?: IdsLike | At["positions"];
    layout?: "onnx" | "hf";
    type?: FloatType;
}

export interface RotaryLike extends EncodingLike {
    readonly family: "rotary";
}

export interface RotaryRegime {
    fromLength: number;
    toLength: number;
    wavelengths: OwnedFloat64Array;
    pairs: PairRun[];
    longestWavelength: number;
}

export interface RotaryTableOptions extends Pick<RotaryInputOptions, "layout" | "type">, TensorOption<any>, GpuOption {
    cos?: string;
    sin?: string;
}

export interface RotaryTables<T extends InputTensor = Tensor> {
    cos: T;
    sin: T;
}

export interface RotateOptions extends ApplyOptions {
    encoding: RotaryEncoding<any>;
}

export interface RotationInfo {
    readonly spec: Json;
    readonly probe: readonly number[];
}

export interface RuntimeTensor {
    readonly type: string;
    readonly data: unknown;
    readonly dims: readonly number[];
    readonly location?: string;
}

export interface SandwichSpec {
    kind: "sandwich";
    heads: number;
    dim?: number;
    base?: number;
    bidirectional?: boolean;
}

export interface SaveOptions extends WorkOptions, GpuOption {
    encoding?: LayerEncodings;
    type?: CacheFileType;
    tokens?: NumberArray;
    positions?: NumberArray | readonly NumberArray[];
    sequenceLength?: number;
    model?: ModelNames;
}

export interface ScatterOptions extends TableAt, DropoutOptions {
    paddingIndex?: number;
    scaleByFrequency?: boolean;
}

export interface ScoreTerms {
    contentContent: Tensor;
    contentPosition: Tensor;
    positionContent: Tensor;
    positionPosition: Tensor;
}

export interface SelfExtend {
    kind: "self-extend";
    group: number;
    window: number;
}

export interface SequenceOption {
    sequenceLength?: number;
}

export interface Session {
    readonly inputNames: readonly string[];
    readonly inputMetadata?: readonly {
        name: string;
        type?: unknown;
        shape?: readonly (number | string)[];
    }[];
}

export interface SgdOptions extends AnyStepOptions {
    optimizer: "sgd";
    momentum?: number;
    nesterov?: boolean;
}

export interface ShawSpec {
    kind: "shaw";
    dim: number;
    maxDistance?: number;
    maxLeft?: number;
    maxRight?: number;
    withValues?: boolean;
    std?: number;
    seed?: number;
    keys?: ParameterData;
    values?: ParameterData;
}

export interface ShiftOptions extends GpuOption {
    sinks?: number;
    window: number;
    delta?: number | NumberArray;
}

export interface ShiftOptions {
    keys?: number;
    zeroWrapped?: boolean;
}

export interface Sinusoidal2dSpec {
    kind: "sinusoidal-2d";
    dim: number;
    base?: number;
    pairing?: "interleaved" | "concat" | "grouped";
    order?: "sin-cos" | "cos-sin";
    frequencyShift?: number;
    unevenDim?: "round-up" | "pad";
    scale?: number;
    start?: number;
    normalize?: boolean;
    eps?: number;
    baseSize?: number;
    axisOrder?: "yx" | "xy";
}

export interface Sinusoidal3dSpec {
    kind: "sinusoidal-3d";
    dim: number;
    base?: number;
    pairing?: "interleaved" | "concat" | "grouped";
    order?: "sin-cos" | "cos-sin";
    frequencyShift?: number;
    unevenDim?: "round-up" | "pad";
    scale?: number;
    start?: number;
    normalize?: boolean;
    eps?: number;
    baseSize?: number;
    axisOrder?: "tyx" | "txy" | "xyt";
    temporalDim?: number;
    temporalScale?: number | null;
}

export interface SinusoidalSpec {
    kind: "sinusoidal";
    dim: number;
    base?: number;
    pairing?: "interleaved" | "concat";
    order?: "sin-cos" | "cos-sin";
    frequencyShift?: number;
    scale?: number;
    start?: number;
    oddDim?: "truncate" | "pad" | "round-up";
    paddingIndex?: number;
    precision?: "exact" | "float32";
}

export interface SmoothTemperature {
    rule: "log";
    factor: number;
    length: number;
    offset?: number;
}

export interface Span {
    field: string;
    home: unknown;
    start: number;
    end: number;
}

export interface SpecialClasses<S extends Spec> {
    shift: SinusoidalTable<S>;
    weights: LearnedTable<S>;
    slopes: AlibiBias<S>;
    buckets: BucketBias<S>;
    resize: WindowBias<S>;
    addTo: NoEncoding<S>;
    bucketOf: BucketRelative<S>;
    contextPositions: ContextRelative<S>;
    expand: PolarRelative<S>;
    logGates: GatedRelative<S>;
    biasOf: BiasedRelative<S>;
    biasOfRows: RowRelative<S>;
    gateRows: GatedRowRelative<S>;
    relativeLogits: StateRelative<S>;
    apply: TransformRelative<S>;
}

export interface SpliceOptions<T> extends RestoreTensorOptions<T>, GpuOption {
    reader: ForwardModel;
    recompute: number;
}

export interface StepTemperature {
    rule?: "steps";
    factor: number;
    length: number;
    offset?: number;
}

export interface StringSpec {
    kind: "string";
    dim: number;
    heads?: number;
    axes?: number;
    form?: "cayley" | "circulant";
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    std?: number;
    seed?: number;
    generators?: ParameterData;
    frequencies?: ParameterData;
    coefficients?: ParameterData;
}

export interface SwinSpec {
    kind: "swin";
    heads: number;
    windowHeight: number;
    windowWidth: number;
    classToken?: boolean;
    std?: number;
    seed?: number;
    weights?: ParameterData;
}

export interface SwinV2Spec {
    kind: "swin-v2";
    heads: number;
    windowHeight: number;
    windowWidth: number;
    pretrainedHeight?: number;
    pretrainedWidth?: number;
    width?: number;
    seed?: number;
    inputWeights?: ParameterData;
    inputBias?: ParameterData;
    outputWeights?: ParameterData;
}

export interface T5Spec {
    kind: "t5";
    heads: number;
    buckets?: number;
    maxDistance?: number;
    bidirectional?: boolean;
    std?: number;
    seed?: number;
    weights?: ParameterData;
}

export interface TableAt extends At {
    prefix?: number;
}

export interface TableExplanation extends Explained {
    family: "table";
    dim: number;
    wavelengths: OwnedFloat64Array | undefined;
    shiftable: boolean;
}

export interface TableOptions<Out> extends RotaryAt, RoleOption, ResultOptions<{
    cos: Out;
    sin: Out;
}> {
}

export interface TableResizer {
    resizeTable(table: InputTensor, options: any): TensorLike;
}

export interface TablesAreAddedToFeatures {
    readonly useAddToBeforeAttention: never;
}

export interface Tensor extends TensorLike {
    readonly type: "float32";
    readonly data: OwnedFloat32Array;
    readonly dims: number[];
}

export interface TensorData {
    float32: Float32Array;
    float16: Float16ArrayLike | Uint16Array;
    bfloat16: Uint16Array;
}

export interface TensorLike {
    readonly type?: string;
    readonly data: Float32Array;
    readonly dims: readonly number[];
}

export interface TensorOption<T = RuntimeTensor> {
    Tensor?: TensorClass<T>;
}

export interface TokenOptions {
    logGates?: InputTensor;
    directions?: InputTensor;
    strengths?: InputTensor;
    gateRows?: InputTensor;
    relativeStates?: InputTensor;
}

export interface TransformBackwardOptions extends Omit<TransformOptions, "inverse" | "transpose"> {
}

export interface TransformOptions extends At, PrefixOption, LayoutOption {
    inverse?: boolean;
    transpose?: boolean;
}

export interface TransformerXlSpec {
    kind: "transformer-xl";
    dim: number;
    heads: number;
    modelDim?: number;
    base?: number;
    clampLength?: number;
    std?: number;
    seed?: number;
    u?: ParameterData;
    v?: ParameterData;
    projection?: ParameterData;
}

export interface TypeOption<Type = TensorType> {
    type: Type;
}

export interface Undo {
    (): void;
    [Symbol.dispose](): void;
}

export interface UntypedTensor {
    readonly type: string;
    readonly data: unknown;
    readonly dims: readonly number[];
    readonly location: string;
}

export interface UnusedOption {
    readonly option: ChangeOption;
    readonly reason: string;
}

export interface VisibilityOptions {
    mask?: MaskLike;
    attentionMask?: MaskLike;
    segments?: MaskLike;
    cuSeqlens?: NumberArray;
}

export interface WebgpuOptions {
    fallback?: "wasm";
}

export interface WeightsLike {
    readonly type?: string;
    readonly data: Exclude<NumberArray, readonly number[]>;
    readonly dims: readonly number[];
}

export interface WindowResizeOptions extends Pick<ResizeOptions, "mode" | "antialias"> {
    windowHeight?: number;
    windowWidth?: number;
}

export interface WorkOptions {
    signal?: AbortSignal;
    onProgress?: (progress: Progress) => void;
}

export interface WorkerInitOptions extends InitOptions, Pick<CallOptions, "signal"> {
    worker?: Worker;
}

export interface XposSpec {
    kind: "xpos";
    dim: number;
    rotaryDim?: number;
    rotaryStart?: number;
    base?: number;
    pairing?: "half" | "interleaved" | "interleaved-to-half";
    precision?: "exact" | "float32";
    frequencyFactors?: readonly number[] | Float32Array | Float64Array | null;
    scaleBase?: number;
    centre?: number | null;
    centreRounding?: "up" | "down";
}

export type Address = number;

export type AnyEncoding = EncodingOfFamily[keyof EncodingOfFamily];

export type Argument<X> = X extends Atom ? X : [
    keyof X
] extends [
    never
] ? X : X extends (...args: never[]) => unknown ? never : X extends LibraryObject | AnyEncoding ? There<X> : X extends AnyTensor ? X | There<ResidentTensor<any>> : {
    [Name in keyof X]: Argument<X[Name]>;
};

export type AttentionEncoding<F extends Family = Family> = EncodingLike & {
    readonly family: F;
} & ([
    F
] extends [
    "table"
] ? TablesAreAddedToFeatures : unknown);

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
    ...remap: RemapFields
];

export type BeginningFields = [
    given: number,
    shapesAlone: boolean
];

export type BiasChoice = Part<Extract<Spec, {
    kind: "alibi" | "t5" | "deberta";
}>>;

export type BiasFields = [
    queries: number,
    keys: number,
    offset: number,
    keyPositions: PositionRegion,
    ...visible: VisibilityFields
];

export type ByLayer<T> = T | ((layer: number) => T | undefined) | {
    readonly model_type: string;
    readonly [field: string]: unknown;
};

export type CacheAt = Pick<At, "offset" | "positions">;

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
    undo: number
];

export type CacheFileType = "float32" | "float16" | "int8";

export type CacheType = "float32" | "float16" | "int8";

export type ChangeOption = "rotary" | "bias" | "length" | "grid" | "resize" | "window" | "remap" | "temperature" | "angles" | "tables";

export type CodeOf = {
    readonly [Part in LibraryPart]: () => object | Promise<object>;
};

export type Config = Readonly<Record<string, unknown>>;

export type CreatedFrom<K extends Kind> = {
    [Name in keyof KindsOf]: KindsOf[Name] extends K ? EncodingOfFamily[Name] : EncodingOf<Extract<K, KindsOf[Name]>>;
}[keyof KindsOf];

export type DataType = (typeof dataTypes)[keyof typeof dataTypes];

export type DeviceBuffer = typeof globalThis extends {
    GPUBuffer: {
        prototype: infer Buffer extends GpuBuffer;
    };
} ? Buffer : GpuBuffer;

export type DropoutFields = [
    rate: number,
    seed: number,
    firstElement: number
];

export type EncodingOf<K extends Kind> = K extends Kind ? ClassOf<K, Extract<Spec, {
    kind: K;
}>> : never;

export type ErrorCode = "invalid-spec" | "invalid-argument" | "shape-mismatch" | "out-of-range" | "out-of-memory" | "disposed" | "unsupported" | "load-failed" | "not-loaded";

export type Explanation = Explanations[keyof Explanations];

export type ExplanationOf<F extends Family> = Explanations[F];

export type Family = keyof KindsOf;

export type FieldLimits = readonly [
    string,
    FieldType,
    0 | 1,
    number | null,
    number | null,
    (readonly string[])?
];

export type FileSource = Uint8Array | ArrayBuffer | Blob | Response | RandomAccess;

export type Files = CacheFile | FilePart | readonly (CacheFile | FilePart)[];

export type Filled<S> = {
    readonly [Name in keyof S as Extract<S[Name], InputTensor> extends never ? Name : never]-?: Exclude<S[Name], ArrayLike<number> | undefined> | (Extract<S[Name], ArrayLike<number>> extends never ? never : readonly number[]);
};

export type FindingCode = "angles-float16" | "attention-factor" | "base" | "buckets" | "buckets-float16" | "config-assumed" | "config-ignored" | "config-unread" | "frequencies" | "frozen-scaling" | "layer-base" | "layer-not-rotated" | "nope-layer-rotated" | "not-changeable" | "not-found" | "original-length" | "pairing" | "rows" | "scaling-ignored" | "slopes" | "table-error" | "unexplained" | "unknown-frequencies" | "width" | "window-lost" | "window-size";

export type FloatType = "float32" | "float16";

export type GgufValue = number | bigint | boolean | string | GgufValue[];

export type GpuType = "float32" | "float16";

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
    relativeStates: Region
];

export type Handle = number;

export type IdsLike = RuntimeTensor | ArrayLike2D;

export type InWorker<T> = {
    readonly [Name in keyof T as Name extends string ? Exclude<Name, "toString"> : never]: T[Name] extends (...args: never[]) => unknown ? Calls<T[Name]> : Promise<Result<T[Name]>>;
} & There<T> & {
    assign<Name extends Assignable<T> | (T extends AnyTensor ? "data" : never)>(name: Name, value: Argument<T[Name & keyof T]>): Promise<void>;
    [Symbol.dispose](): void;
};

export type InputTensor = TensorLike | Float16Tensor | Bfloat16Tensor | UntypedTensor;

export type InspectorReport = (OnnxReport | GgufReport | ConfigReport) & {
    readonly explanations?: readonly string[];
    readonly unchecked?: string;
};

export type InspectorSource = string | URL | Blob | Iterable<Blob>;

export type InspectorState = "empty" | "reading" | "result" | "failed" | "stopped";

export type Interchangeable = "yes" | "scores" | "permuted" | "causal" | "no";

export type Json = Record<string, unknown>;

export type Kind = Spec["kind"];

export type KindFacts = readonly [
    Family,
    Readonly<Record<string, Default>>,
    readonly string[],
    readonly string[]
];

export type KnownModel<Facts extends readonly [
    Kind,
    Config | undefined,
    number | null
]> = Model & {
    readonly spec: Extract<Spec, {
        kind: Facts[0];
    }>;
    readonly config?: Facts[1];
    readonly contextLength: Facts[2];
} & (Facts[1] extends Config ? {
    readonly config: Config;
} : unknown);

export type LayerCaches = readonly KeyValueCache[];

export type LayerEncodings = Encoding<any> | readonly LayerLike[] | ((layer: number) => Encoding<any> | null);

export type Layout = "bhtd" | "bthd";

export type LibraryPart = "attention" | "relative" | "training" | "cache" | "resize" | "config" | "ids";

export type LogitsGradients<T extends InputTensor = Tensor> = Omit<AttentionGradients<T>, "v" | "bias" | "sinks">;

export type MaskLike = NumberArray | UntypedTensor | readonly (boolean | number | bigint)[] | {
    readonly data: NumberArray | readonly (boolean | number | bigint)[];
    readonly dims: readonly number[];
};

export type ModelId = keyof ModelTypes;

export type MropeSegment = {
    text: number;
} | {
    padding: number;
} | {
    image: NumberArray;
} | {
    video: NumberArray;
    interval?: number;
};

export type NewTypeOption<Type extends TensorType, Out> = [
    Type
] extends [
    "float32"
] ? Partial<TypeOption<Out extends InputTensor ? never : Type>> : TypeOption<Out extends InputTensor ? never : Type>;

export type NumberArray = readonly number[] | Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array;

export type OptimizerFields = [
    optimizer: OptimizerKind,
    learningRate: number,
    weightDecay: number,
    momentum: number,
    nesterov: boolean,
    beta1: number,
    beta2: number,
    epsilon: number
];

export type OwnCpuTensor = (Tensor | Float16Result) & Endable;

export type OwnedBigInt64Array = ReturnType<BigInt64ArrayConstructor["of"]>;

export type OwnedFloat16Array = typeof globalThis extends {
    Float16Array: {
        of(...items: number[]): infer Owned extends Float16ArrayLike;
    };
} ? Owned : Float16ArrayLike & {
    readonly buffer: ArrayBuffer;
};

export type OwnedFloat32Array = ReturnType<Float32ArrayConstructor["of"]>;

export type OwnedFloat64Array = ReturnType<Float64ArrayConstructor["of"]>;

export type OwnedInt32Array = ReturnType<Int32ArrayConstructor["of"]>;

export type OwnedUint16Array = ReturnType<Uint16ArrayConstructor["of"]>;

export type OwnedUint32Array = ReturnType<Uint32ArrayConstructor["of"]>;

export type OwnedUint8Array = ReturnType<Uint8ArrayConstructor["of"]>;

export type PairChange = "unchanged" | "blended" | "slowed" | "faster" | "still";

export type Pairing = "half" | "interleaved" | "interleaved-to-half";

export type ParameterData = InputTensor | Float32Array | readonly number[];

export type ParameterInput = ParameterData | Record<string, ParameterData>;

export type Part = "text" | "vision" | "audio" | "encoder" | "decoder";

export type Permuted<T extends WeightsLike> = WeightsLike & {
    readonly data: ReturnType<T["data"]["slice"]>;
};

export type PosencInWorker = Omit<InWorker<Posenc>, keyof ByKind> & ByKind;

export type PosencInspectorConstructor = new () => PosencInspector;

export type PosencLike = TableResizer & Adder;

export type Positions = NumberArray | readonly NumberArray[] | ArrayLike2D | UntypedTensor | {
    readonly positions: ArrayLike2D;
};

export type Read<S extends Schema> = {
    readonly [Name in keyof S]: ReturnType<S[Name]>;
};

export type Reader<T> = (value: unknown, name: string) => T;

export type Remap = SelfExtend | ReRope | DualChunk;

export type RemapFields = [
    rule: RemapRule,
    group: number,
    window: number,
    leak: number,
    chunk: number,
    local: number,
    trained: number
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
    transpose: boolean
];

export type Result<Fallback extends boolean> = Fallback extends true ? OwnGpuTensor | OwnCpuTensor : OwnGpuTensor;

export type Result<R> = R extends Atom ? R : R extends LibraryObject ? InWorker<R> : R extends AnyTensor ? R : {
    [Name in keyof R]: Result<R[Name]>;
};

export type ResultIn<Out, New> = {
    given: Exclude<Out, undefined>;
    made: New;
}[Out extends InputTensor ? "given" : "made"];

export type ResultLike<Input extends InputTensor> = [
    Input
] extends [
    {
        readonly data: Float32Array;
    }
] ? Tensor : Input extends {
    readonly data: Float32Array;
} ? Tensor : Input extends {
    readonly type: infer Type;
    readonly data: infer Data;
} ? ResultOfTypes<string extends Type ? TensorType : Extract<Type, TensorType>, Data> : never;

export type RotaryChoice = Part<Extract<Spec, {
    kind: KindsOf["rotary"];
}>> | RotaryEncoding | {
    readonly model_type: string;
    readonly [field: string]: unknown;
};

export type ScatterFields = [
    padding: number,
    byFrequency: boolean,
    rate: number,
    seed: number
];

export type Source = URL | string | Response | ArrayBuffer | ArrayBufferView | WasmModule;

export type Spec = OneHotSpec | IntegerSpec | NormalizedSpec | BinarySpec | PeriodicSpec | SinusoidalSpec | Sinusoidal2dSpec | Sinusoidal3dSpec | FourierSpec | LearnedSpec | RopeSpec | RopeLinearSpec | RopeNtkSpec | RopeNtkByPartsSpec | RopeDynamicSpec | RopeQwenSpec | RopeYarnSpec | RopeLongropeSpec | RopeLlama3Spec | RopeProportionalSpec | RopeMropeSpec | RopeAxialSpec | XposSpec | AlibiSpec | T5Spec | SwinSpec | SwinV2Spec | KerpleSpec | SandwichSpec | FireSpec | MaskSpec | NoneSpec | ShawSpec | NezhaSpec | TransformerXlSpec | DebertaSpec | CopeSpec | PopeSpec | ForgetSpec | DataDependentAlibiSpec | PerRowAlibiSpec | PathSpec | GrapeASpec | GrapeApSpec | InklingSpec | RopeMixedSpec | FopeSpec | GrapeMSpec | LiereSpec | StringSpec;

export type StepOptions = SgdOptions | AdamOptions;

export type Temperature = StepTemperature | LogTemperature | SmoothTemperature;

export type TemperatureFields = [
    factor: number,
    length: number,
    offset: number,
    rule: TemperatureRule
];

export type TensorClass<T = RuntimeTensor> = new (type: any, data: any, dims: any) => T;

export type TensorOf<Type extends TensorType> = Type extends "float16" ? Float16Result : Type extends "bfloat16" ? Bfloat16Result : Tensor;

export type TensorType = "float32" | "float16" | "bfloat16";

export type Tokens = ArrayLike2D | UntypedTensor | NumberArray | readonly NumberArray[] | {
    cuSeqlens: NumberArray;
};

export type Variant = "relaxed" | "simd" | "scalar";

export type VisibilityFields = [
    mask: Region,
    attentionMask: Region,
    segments: Region
];

export type WasmModule = typeof globalThis extends {
    WebAssembly: {
        Module: {
            prototype: infer M;
        };
    };
} ? M & object : never;

export type WasmPart = keyof typeof firstCalls;

export type WasmTensorOf<Type extends TensorType> = Type extends TensorType ? WasmTensor<Type> : never;

export type WindowSize = number | readonly [
    left: number,
    right: number
];

export type Written<Gradients, Out> = {
    some: Omit<Gradients, keyof Out> & Out;
    none: Gradients;
}[keyof Out extends never ? "none" : "some"];

interface AnyEncoding {
    readonly family: Family;
    readonly kind: Kind;
}

interface AnyStepOptions {
    learningRate: number;
    weightDecay?: number;
}

interface AnyTensor {
    readonly dims: readonly number[];
}

interface ByKind {
    create<K extends Kind>(spec: {
        kind: K;
    } & Argument<Extract<Spec, {
        kind: K;
    }>>, options?: CallOptions): Promise<InWorker<CreatedFrom<K>>>;
    fromConfig<F extends Family = Family>(config: unknown, options?: ConfigOptions & {
        family?: F;
    } & CallOptions): Promise<InWorker<EncodingOfFamily[F]>>;
    tensor<Type extends TensorType = "float32">(dims: readonly number[], options?: Partial<TypeOption<Type>> & CallOptions): Promise<InWorker<WasmTensorOf<Type>>>;
    tensor<Type extends TensorType = "float32">(data: ArrayLike<number>, dims: readonly number[], options?: Partial<TypeOption<Type>> & CallOptions): Promise<InWorker<WasmTensorOf<Type>>>;
    terminate(): void;
}

interface Explained {
    kind: string;
    summary: string;
    parameters: Record<string, readonly number[]>;
    assumed: readonly string[];
    ignored: readonly string[];
}

interface FamilyClasses<S extends Spec> {
    table: TableEncoding<S>;
    rotary: RotaryEncoding<S>;
    bias: BiasEncoding<S>;
    relative: RelativeEncoding<S>;
}

interface Report {
    readonly file: string;
    readonly bytes: number;
    readonly findings: readonly (Pick<Finding, "severity" | "code" | "message"> & {
        readonly component?: number;
        readonly fix?: string;
    })[];
    readonly error?: {
        readonly code: string;
        readonly message: string;
    };
}

interface TableResizer {
    resizeTable(table: InputTensor, options: ResizeOptions): TensorLike;
    toFloat32(x: Float16Tensor | InputTensor): TensorLike;
    toFloat16(x: InputTensor): Float16Tensor;
}

interface There<T> {
    readonly [there]?: T;
}

type Arguments<A extends readonly unknown[]> = number extends A["length"] ? A : [
    ...{
        [I in keyof A]: WithOptions<A[I]>;
    },
    options?: CallOptions
];

type Assignable<T> = {
    [Name in keyof T]-?: (<X>() => X extends {
        [N in Name]: T[N];
    } ? 1 : 2) extends <X>() => X extends {
        readonly [N in Name]: T[N];
    } ? 1 : 2 ? never : Name;
}[keyof T];

type Atom = Primitive | ArrayBufferView | ArrayBuffer | ArrayLike<Primitive>;

type Call<A extends readonly unknown[], R> = [
    InputTensor,
    A
] extends [
    R,
    readonly [
        (infer First)?,
        ...infer Rest
    ]
] ? [
    R
] extends [
    InputTensor
] ? [
    New<R>
] extends [
    never
] ? <Q extends Argument<First>>(x: Q, ...rest: Arguments<Rest>) => Promise<Q> : IntoOut<A, First, Rest, New<R>> : (...args: Arguments<A>) => Promise<Result<R>> : (...args: Arguments<A>) => Promise<Result<Awaited<R>>>;

type Calls<F> = F extends {
    (...args: infer A1): infer R1;
    (...args: infer A2): infer R2;
    (...args: infer A3): infer R3;
    (...args: infer A4): infer R4;
} ? Call<A1, R1> & Call<A2, R2> & Call<A3, R3> & Call<A4, R4> : F extends (...args: infer A) => infer R ? Call<A, R> : never;

type ClassOf<K extends Kind, S extends Spec> = [
    NameOf<K, KindsWith>
] extends [
    never
] ? FamilyClasses<S>[NameOf<K, KindsOf>] : SpecialClasses<S>[NameOf<K, KindsWith>];

type Default = number | boolean | string | null;

type FieldType = "integer" | "number" | "boolean" | "choice" | "numbers";

type Float16DataLike<Data> = 0 extends 1 & Data ? Float16Result["data"] : [
    Extract<Data, Float16ArrayLike | Uint16Array>
] extends [
    never
] ? Float16Result["data"] : Extract<Data, Float16ArrayLike | Uint16Array> extends infer Half ? Half extends Uint16Array ? OwnedUint16Array : OwnedFloat16Array : never;

type Forward = (self: any, inputs: any) => Promise<any>;

type Grids = NumberArray | readonly NumberArray[];

type Injected<T> = Required<TensorOption<T>>;

type Input<Fallback extends boolean> = GpuTensor | (Fallback extends true ? CpuTensor : never);

type IntoOut<A extends readonly unknown[], First, Rest extends readonly unknown[], R> = (<Out extends InputTensor | There<ResidentTensor<any>>>(...args: WithOut<A, Out>) => Promise<Out>) & ([
    Tensor | Bfloat16Result
] extends [
    R
] ? Typed<First, Rest> : (...args: Arguments<A>) => Promise<R>);

type LibraryObject = Encoding<any> | KeyValueCache | ResidentTensor<any>;

type NameOf<K extends Kind, Lists> = {
    [Name in keyof Lists]: K extends Lists[Name] ? Name : never;
}[keyof Lists];

type New<R> = R extends unknown ? [
    TensorLike
] extends [
    R
] ? never : [
    UntypedTensor
] extends [
    R
] ? never : [
    Float16Tensor
] extends [
    R
] ? never : [
    Bfloat16Tensor
] extends [
    R
] ? never : R : never;

type No<Name extends PropertyKey> = {
    readonly [_ in Name]?: never;
};

type Options = Read<typeof attentionOptions>;

type Part<S> = S extends {
    kind: string;
} ? Pick<S, "kind"> & Partial<S> : never;

type Primitive = string | number | bigint | boolean | symbol | null | undefined;

type ResultOfTypes<Type extends TensorType, Data> = Type extends "float16" ? Float16Result<Float16DataLike<Data>> : TensorOf<Type>;

type Schema = Readonly<Record<string, Reader<unknown>>>;

type TensorHere<Q> = Q extends There<infer T extends InputTensor> ? T : Q extends InputTensor ? Q : never;

type TypeIn<O> = O extends {
    readonly type: infer Type extends TensorType;
} ? Type : "float32";

type Typed<First, Rest extends readonly unknown[]> = [
    First
] extends [
    AnyTensor
] ? <Q extends Argument<First>>(x: Q, ...rest: Arguments<Rest>) => Promise<ResultLike<TensorHere<Q>>> : <O extends Partial<WithOptions<First>>>(options: O, ...rest: Arguments<Rest>) => Promise<TensorOf<TypeIn<O>>>;

type WithOptions<X> = X extends Atom | readonly unknown[] | AnyTensor | LibraryObject | AnyEncoding ? Argument<X> : [
    keyof X
] extends [
    never
] ? X : Argument<X> & CallOptions;

type WithOut<A extends readonly unknown[], Out> = {
    [I in keyof A]-?: "out" extends keyof NonNullable<A[I]> ? Omit<WithOptions<NonNullable<A[I]>>, "out"> & {
        out: Out;
    } : Argument<A[I]>;
};

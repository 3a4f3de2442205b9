// A tensor class like those of transformers.js and onnxruntime.
export class RuntimeTensor {
  readonly location = "cpu";
  constructor(
    readonly type: string,
    readonly data: any,
    readonly dims: number[],
  ) {}
}

// The builds as dist/ has them, gzip as base64; made by the build.
export declare const simd: string;
export declare const scalar: string;

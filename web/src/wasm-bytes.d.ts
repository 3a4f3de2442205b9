// The three builds, embedded by the build.
export declare const wasmBase64: { relaxed: string; simd: string; scalar: string };

// The bytes of the built modules, in Node and in browsers alike.
import relaxedUrl from "../../../dist/posenc.relaxed.wasm?url&inline";
import scalarUrl from "../../../dist/posenc.scalar.wasm?url&inline";
import simdUrl from "../../../dist/posenc.simd.wasm?url&inline";

const URLS = { relaxed: relaxedUrl, scalar: scalarUrl, simd: simdUrl };

/** The quick tier may test one build in the place of all: what the others have of their own is not there, then. */
export const hasAllBuilds = scalarUrl !== simdUrl;

export async function moduleBytes(variant: keyof typeof URLS): Promise<Uint8Array> {
  const response = await fetch(URLS[variant]);
  return new Uint8Array(await response.arrayBuffer());
}

// (func (result v128) (f32x4.relaxed_madd x x x)), x = (f32x4.splat (f32.const 0))
const splat = [67, 0, 0, 0, 0, 253, 19];
const body = [0, ...splat, ...splat, ...splat, 253, 133, 2, 11];
const relaxedProbe = Uint8Array.from([
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, body.length + 2, 1, body.length, ...body],
]);

/** Whether this engine has relaxed SIMD, so that the library must choose its relaxed build. */
export const hasRelaxedSimd = WebAssembly.validate(relaxedProbe);

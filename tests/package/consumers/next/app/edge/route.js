import * as posenc from "posenc";
import module from "../../node_modules/posenc/dist/posenc.simd.wasm?module";
import { check } from "../../check.mjs";

// Edge runtimes compile no WebAssembly while they run: the module comes with the program.
export const runtime = "edge";

export async function GET() {
  return Response.json(await check({ ...posenc, init: () => posenc.init(module) }, { hasScalar: false }));
}

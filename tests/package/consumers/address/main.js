import * as posenc from "posenc";
import { check, show } from "./check.mjs";

/** A script made of modules does not know where it lies: `init` says so, and takes an address. */
async function withAddress() {
  const failure = await posenc.init().catch(({ message }) => message);
  if (!/cannot locate the \.wasm files of this bundle .*; pass the address/.test(failure))
    throw new Error(`init says: ${failure}`);
  const init = () => posenc.init("./node_modules/posenc/dist/posenc.simd.wasm");
  return check({ ...posenc, init }, { hasScalar: false });
}

show(withAddress());

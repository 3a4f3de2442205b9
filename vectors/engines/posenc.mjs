// posenc, as it is installed beside this file.
import { init } from "posenc";
import { engineOf } from "./operations.mjs";

export default engineOf(await init({ parts: "all" }));

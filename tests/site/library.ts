// The library that tests compare figures with, as Node has it.
import { init } from "posenc";

export const pe = await init();

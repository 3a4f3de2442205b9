// Maximum memory, which the files of a thread share: views that a test holds must not end because of what ran before.
import { loosely, pe } from "./library";

const { core } = loosely(pe);
const bytes = 2 ** 29;
core.module.release(core.allocate(bytes));

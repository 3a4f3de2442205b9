// Grows the memory that the files of a thread share, so that earlier tests do not detach views that a test holds.
import { loosely, pe } from "./library";

const { core } = loosely(pe);
const bytes = 2 ** 29;
core.module.release(core.allocate(bytes));

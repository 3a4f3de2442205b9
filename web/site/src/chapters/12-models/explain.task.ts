// Explains a bias away from the page: how far each head reaches is looked for among tens of thousands of distances.
import { explain } from "posenc/explain";
import { serveTask } from "../../lib/task.ts";
import type { Explanation, Spec } from "./explained.ts";

serveTask<Spec, Explanation>((pe, spec) => explain(pe, spec));

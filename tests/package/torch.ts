// A Python that has PyTorch, if this machine has one: programs in it that are shown to readers are run, then.
import { spawnSync } from "node:child_process";

export const pythonWithTorch = ["/usr/bin/python3", "python3"].find(
  (name) => spawnSync(name, ["-c", "import torch"], { stdio: "ignore" }).status === 0,
);

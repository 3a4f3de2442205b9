// npm run bench -- [--only rope,attention-full] [--quick] [--contenders posenc,plain] [--browser | --webgpu | --dawn]
import { parseArgs } from "node:util";
import { contenderNames } from "./contenders/index.mjs";
import { chosen } from "./cases/index.mjs";

const list = (text) => (text ? text.split(",") : []);

/** { only, contenders, effort, browser, webgpu, dawn } of the command line. Throws where a word is unknown. */
export function readSettings(given) {
  const { values } = parseArgs({
    args: given,
    options: {
      only: { type: "string" },
      contenders: { type: "string" },
      quick: { type: "boolean", default: false },
      browser: { type: "boolean", default: false },
      webgpu: { type: "boolean", default: false },
      dawn: { type: "boolean", default: false },
    },
  });
  const only = list(values.only);
  for (const word of only)
    if (chosen([word]).length === 0) throw new Error(`--only ${word}: no case or group of that name`);
  const contenders = values.contenders === undefined ? contenderNames : list(values.contenders);
  for (const name of contenders)
    if (!contenderNames.includes(name)) throw new Error(`--contenders ${name}: known are ${contenderNames.join(", ")}`);
  const { browser, webgpu, dawn } = values;
  return { only, contenders, effort: values.quick ? "quick" : "full", browser, webgpu, dawn };
}

const peers = ["onnx", "tfjs"];
export const withoutPeers = (settings) => ({
  ...settings,
  contenders: settings.contenders.filter((name) => !peers.includes(name)),
});
export const hasPeers = ({ contenders }) => peers.some((name) => contenders.includes(name));

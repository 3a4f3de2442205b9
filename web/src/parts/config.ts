// The part `config`: encodings from the config.json of a model, its weights for another pair layout, and the facts of every field.
import { describeKinds, families } from "../base/fields.js";
import { PosencError } from "../base/errors.js";
import { familyOf } from "../base/kinds.js";
import { maybe, oneOf, readOptions } from "../base/options.js";
import type { Family } from "../base/specs.gen.js";
import { configOptions, readConfig, type ConfigOptions } from "../config/config.js";
import { layerSpecs } from "../config/layers.js";
import { createEncoding } from "../encodings/create.js";
import type { AnyEncoding } from "../encodings/kinds.js";
import { permuteWeights } from "../tensors/layout.js";
import type { Core } from "../wasm/core.js";

const fromConfigOptions = { ...configOptions, family: maybe(oneOf(...families)) };

/** See `Posenc.fromConfig`. */
function fromConfig(core: Core, config: unknown, options: ConfigOptions & { family?: Family }): AnyEncoding {
  const { family, ...how } = readOptions(options, fromConfigOptions);
  const { spec, assumed, ignored } = readConfig(config, how);
  const actual = familyOf(spec.kind);
  if (family !== undefined && family !== actual)
    throw new PosencError(
      "unsupported",
      `family: ${spec.kind}, which the config asks for, is ${actual}, not ${family}`,
      "family",
    );
  return Object.assign(createEncoding(core, spec, "when-read"), { assumed, ignored });
}

export const configPart = { describeKinds, fromConfig, layerSpecs, permuteWeights };

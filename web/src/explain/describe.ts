// The core's facts about its kinds, with texts.
import type { Description } from "../base/description.js";
import { describeKinds } from "../base/fields.js";
import { fieldDocs, prose, titles } from "./prose.gen.js";

/** Returns all kinds of encodings, each with family, fields (type, default, range), formula (TeX) and source. */
export const describe = (): Description[] =>
  describeKinds().map((facts) => {
    const { fields: details, ...words } = structuredClone(prose[facts.kind]);
    const docs = fieldDocs[facts.kind];
    const fields = facts.fields.map((field) => ({ ...field, ...details[field.name]!, doc: docs[field.name]! }));
    return { ...facts, title: titles[facts.kind], ...words, fields };
  });

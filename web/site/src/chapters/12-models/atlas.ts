// The published models as the atlas shows them: what sort of encoding each has, and which of them match a search.
import { models, type Model } from "posenc/models";
import type { Encoder } from "../../lib/engine.svelte.ts";
import type { Field } from "../../lib/state.svelte.ts";
import type { names } from "./names.en.ts";

export type Names = typeof names;
export type Kind = keyof Names["kinds"];

export const groups = ["waves", "learned", "relative", "rope", "scaled", "axes"] as const;
export type Group = (typeof groups)[number];

export const modalities = ["text", "image", "image-text", "audio"] as const;

export interface Entry {
  model: Model;
  kind: Kind;
  group: Group;
}

export interface AtlasSettings {
  search: string;
  family: string;
  kind: string;
  modality: string;
  model: string;
}

/** In the order of the years, and within a year by group, so that marks of a kind stand together. */
export const allModels: readonly Model[] = Object.values(models);

export const families: string[] = [...new Set(allModels.map(({ family }) => family))].sort((one, other) =>
  one.localeCompare(other, "en"),
);

const severalAxes = new Set(["rope-mrope", "rope-axial"]);

function groupOf(family: string | undefined, kind: string): Group {
  if (family === "rotary") return kind === "rope" ? "rope" : severalAxes.has(kind) ? "axes" : "scaled";
  if (family === "table") return kind === "learned" ? "learned" : "waves";
  return "relative";
}

export function entriesOf(pe: Encoder): Entry[] {
  // The small library knows none of the relative ones, and to be relative is what is left.
  const families = new Map(pe.describe().map(({ kind, family }) => [kind, family]));
  const entries = allModels.map((model) => {
    const kind = model.spec.kind as Kind;
    return { model, kind, group: groupOf(families.get(kind), kind) };
  });
  const order = ({ model, group }: Entry) => model.year * groups.length + groups.indexOf(group);
  return entries.sort((one, other) => order(one) - order(other));
}

/** What else readers call families and methods: other scripts, makers, papers. */
const otherNames: Record<string, string> = {
  Qwen: "通义 千问 Alibaba 阿里 LogN",
  GLM: "智谱 ChatGLM 清华",
  Baichuan: "百川",
  DeepSeek: "深度求索 MLA",
  RoFormer: "追一 苏剑林 旋转式",
  Yi: "零一万物",
  InternLM: "书生 浦语",
  ERNIE: "文心 百度 Baidu",
  Kimi: "月之暗面 Moonshot",
  Hunyuan: "混元 腾讯 Tencent",
  Wan: "万相 阿里 Alibaba",
  MiniMax: "稀宇 海螺 上海",
  MiMo: "小米 Xiaomi",
  Seed: "豆包 字节 ByteDance",
  LongCat: "美团 龙猫 Meituan",
  "Z-Image": "造相 阿里 Alibaba",
  Lumina: "书生 上海人工智能实验室",
  Orion: "猎户星空",
  Nemotron: "英伟达 NVIDIA",
  Mistral: "米斯特拉尔",
  Gemma: "谷歌 Google",
  Llama: "羊驼 Meta",
  rope: "RoFormer 旋转 旋转位置编码 rotary",
  scaled: "RoFormer 旋转 旋转位置编码 rotary 外推 长度外推",
  axes: "RoFormer 旋转 旋转位置编码 rotary",
  "rope-linear": "位置插值 位置内插 PI",
  "rope-ntk": "NTK 感知 NTK-aware",
};

/** Every word of the search has to be somewhere in what is known of the model. */
export function matching(entries: Entry[], { search, family, kind, modality }: AtlasSettings, names: Names): Entry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ model, kind: own, group }) => {
    if (family && model.family !== family) return false;
    if (kind && own !== kind && group !== kind) return false;
    if (modality && model.modality !== modality) return false;
    const known = [
      nameOf(model, names),
      model.id,
      model.family,
      own,
      names.kinds[own],
      model.source,
      model.year,
      ...[model.family, group, own].map((name) => otherNames[name] ?? ""),
    ]
      .join(" ")
      .toLowerCase();
    return words.every((word) => known.includes(word));
  });
}

/** A model's name, with its ending in the reader's language. */
export function nameOf({ name }: Model, { endings }: Names): string {
  const ending = Object.entries(endings).find(([written]) => name.endsWith(written));
  return ending ? name.slice(0, -ending[0].length) + ending[1] : name;
}

/** Where to read about it; repositories are named and not linked. */
export function paperOf({ source }: Model): string | undefined {
  const id = /^arXiv:(\d{4}\.\d{4,5})$/.exec(source)?.[1];
  return id && `https://arxiv.org/abs/${id}`;
}

/** The repositories that a model's numbers were compared with, each once; reference vectors by what they are called. */
export const comparedWith = ({ checked = [] }: Model, vector: string): string[] => [
  ...new Set(checked.map((where) => (where.includes(":") ? where.slice(0, where.indexOf(":")) : vector))),
];

export const modelOf = (id: string): Model | undefined => (Object.hasOwn(models, id) ? models[id] : undefined);

/** A text in the address that may as well be empty, in both languages alike. */
export const optionalText = (maxLength: number): Field<string> => ({
  initial: "",
  print: (value) => value,
  parse: (value) => (value.length <= maxLength ? value : undefined),
});

// The published models as the atlas shows them: what sort of encoding each has, and which of them match a search.
import { models, type Model } from "posenc/models";
import type { Field } from "../../lib/state.svelte.ts";
import { families as kindFamilies } from "../../text/kinds.gen.ts";
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

function groupOf(kind: Kind): Group {
  const family = kindFamilies[kind];
  if (family === "rotary") return kind === "rope" ? "rope" : severalAxes.has(kind) ? "axes" : "scaled";
  if (family === "table") return kind === "learned" ? "learned" : "waves";
  return "relative";
}

export function entriesOf(): Entry[] {
  const entries = allModels.map((model) => {
    const kind = model.spec.kind as Kind;
    return { model, kind, group: groupOf(kind) };
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
  "rope-qwen": "动态 NTK dynamic",
  "rope-mixed": "混合 二维 可学习频率 RoPE-ViT mixed",
  fope: "傅里叶 傅里叶位置编码 Fourier position embedding",
  liere: "李群 李代数 Lie group rotations",
  string: "可分离 平移不变 Cayley 循环矩阵 circulant separable",
  "grape-a": "群表示 群作用 group representational additive",
  "grape-ap": "群表示 群作用 group representational path",
  "grape-m": "群表示 群作用 group representational multiplicative",
  forget: "遗忘门 遗忘变换器 forget gate forgetting transformer",
  "data-dependent-alibi": "数据依赖 门控 gated",
  path: "豪斯霍尔德 反射 Householder",
  nezha: "哪吒 华为 Huawei",
  "swin-v2": "Swin V2 连续偏置 对数间距 continuous log-spaced",
  none: "NoPE 无位置编码 不用位置编码",
};
const kindWords = (kind: Kind, names: Names): string => [kind, names.kinds[kind], otherNames[kind] ?? ""].join(" ");

const wordsOf = (search: string): string[] => search.toLowerCase().split(/\s+/).filter(Boolean);
const isSaid = (words: string[], known: string): boolean => words.every((word) => known.toLowerCase().includes(word));

/** Encodings that are searched for and that none of the models has. */
export function methodsMatching(search: string, entries: Entry[], names: Names): Kind[] {
  const [words, used] = [wordsOf(search), new Set(entries.map(({ kind }) => kind))];
  if (words.length === 0) return [];
  return (Object.keys(names.kinds) as Kind[]).filter(
    (kind) => !used.has(kind) && isSaid(words, kindWords(kind, names)),
  );
}

/** Every word of the search has to be somewhere in what is known of the model. */
export function matching(entries: Entry[], { search, family, kind, modality }: AtlasSettings, names: Names): Entry[] {
  const words = wordsOf(search);
  return entries.filter(({ model, kind: own, group }) => {
    if (family && model.family !== family) return false;
    if (kind && own !== kind && group !== kind) return false;
    if (modality && model.modality !== modality) return false;
    const known = [
      nameOf(model, names),
      model.id,
      model.family,
      kindWords(own, names),
      model.source,
      model.year,
      ...[model.family, group].map((name) => otherNames[name] ?? ""),
    ];
    return isSaid(words, known.join(" "));
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

// The terms of the field in both languages: one name per thing. What each means stands in text.*.ts under the same key.

export interface Term {
  en: string;
  zh: string;
  /** What others call it, in either language: found by the filter, and shown beside the name. */
  also?: string[];
  /** Where it is explained: a page and an anchor. */
  at: string;
}

export const terms = {
  token: { en: "token", zh: "词元", also: ["word piece", "标记"], at: "order#words" },
  position: { en: "position", zh: "位置", also: ["place", "index", "序号"], at: "counting#strips" },
  "positional-encoding": {
    en: "positional encoding",
    zh: "位置编码",
    also: ["position embedding", "PE", "位置嵌入"],
    at: "order#needs",
  },
  embedding: { en: "word vector", zh: "词向量", also: ["token embedding", "词嵌入"], at: "adding#terms" },
  dimension: { en: "dimension", zh: "维度", also: ["feature", "d_model", "特征维"], at: "sinusoidal#curves" },
  attention: { en: "attention", zh: "注意力", also: ["self-attention", "自注意力"], at: "order#matrix" },
  query: { en: "query", zh: "查询", also: ["Q"], at: "rope#rotate" },
  key: { en: "key", zh: "键", also: ["K"], at: "rope#rotate" },
  value: { en: "value", zh: "值", also: ["V"], at: "order#matrix" },
  "attention-score": {
    en: "attention score",
    zh: "注意力分数",
    also: ["attention logit", "注意力得分"],
    at: "adding#terms",
  },
  "attention-weight": { en: "attention weight", zh: "注意力权重", at: "order#matrix" },
  softmax: { en: "softmax", zh: "softmax", also: ["软最大", "归一化指数函数"], at: "order#matrix" },
  "dot-product": { en: "dot product", zh: "点积", also: ["inner product", "内积"], at: "rotation#pairs" },
  head: { en: "attention head", zh: "头", also: ["multi-head attention", "注意力头", "多头"], at: "alibi#bias" },
  "causal-mask": { en: "causal mask", zh: "因果掩码", also: ["mask", "掩码", "遮罩"], at: "order#leak" },
  nope: { en: "no positional encoding", zh: "无位置编码", also: ["NoPE"], at: "order#leak" },
  equivariance: {
    en: "permutation equivariance",
    zh: "置换等变性",
    also: ["permutation invariance", "置换不变性"],
    at: "order#matrix",
  },
  parameters: {
    en: "number of parameters",
    zh: "参数量",
    also: ["parameter count", "weights", "参数", "权重数"],
    at: "relative#count",
  },
  learnable: { en: "learnable", zh: "可学习", also: ["trainable", "可训练"], at: "learned#train" },
  "encoder-decoder": {
    en: "encoder and decoder",
    zh: "编码器与解码器",
    also: ["encoder", "decoder", "编码器", "解码器"],
    at: "relative#buckets",
  },
  "one-hot": { en: "one-hot encoding", zh: "独热编码", also: ["一热编码"], at: "counting#strips" },
  integer: { en: "integer encoding", zh: "整数编码", also: ["整数位置"], at: "counting#breaks" },
  normalized: { en: "normalised positions", zh: "归一化位置", also: ["[0, 1]", "比例"], at: "counting#breaks" },
  binary: { en: "binary encoding", zh: "二进制编码", also: ["bits", "二进制"], at: "counting#waves" },
  "beta-ary": { en: "β-ary digits", zh: "β 进制", also: ["base-β", "进制编码"], at: "counting#waves" },
  sinusoidal: {
    en: "sinusoidal encoding",
    zh: "正弦位置编码",
    also: ["sine and cosine encoding", "正弦余弦编码", "三角函数编码", "正弦"],
    at: "sinusoidal#table",
  },
  base: { en: "base", zh: "底数", also: ["theta", "rope_theta", "10000", "基数"], at: "sinusoidal#base" },
  frequency: { en: "frequency", zh: "频率", also: ["angular frequency", "角频率"], at: "sinusoidal#curves" },
  wavelength: { en: "wavelength", zh: "波长", also: ["period", "周期"], at: "sinusoidal#curves" },
  "high-frequency": { en: "high frequency", zh: "高频", also: ["fast pairs", "高频维度"], at: "long-context#lab" },
  "low-frequency": { en: "low frequency", zh: "低频", also: ["slow pairs", "低频维度"], at: "long-context#lab" },
  pair: { en: "pair of dimensions", zh: "维度对", also: ["2-D plane", "分量对"], at: "sinusoidal#clocks" },
  angle: { en: "angle", zh: "角度", also: ["phase", "相位"], at: "sinusoidal#clocks" },
  "rotation-matrix": { en: "rotation matrix", zh: "旋转矩阵", at: "rotation#turn" },
  absolute: {
    en: "absolute positional encoding",
    zh: "绝对位置编码",
    also: ["APE"],
    at: "counting#strips",
  },
  relative: { en: "relative positional encoding", zh: "相对位置编码", also: ["RPE", "Shaw"], at: "relative#clip" },
  distance: {
    en: "distance",
    zh: "相对距离",
    also: ["relative position", "offset", "相对位置", "偏移"],
    at: "rotation#pairs",
  },
  "long-term-decay": {
    en: "long-term decay",
    zh: "远程衰减",
    also: ["decay with distance", "长程衰减", "长距离衰减"],
    at: "rotation#decay",
  },
  concatenation: { en: "concatenation", zh: "拼接", also: ["concat"], at: "adding#concat" },
  orthogonal: {
    en: "nearly orthogonal",
    zh: "近似正交",
    also: ["orthogonality", "正交"],
    at: "adding#cosines",
  },
  dropout: { en: "dropout", zh: "随机失活", also: ["丢弃法"], at: "adding#dropout" },
  "learned-table": {
    en: "learned positions",
    zh: "可学习的位置表",
    also: ["learned positional embedding", "nn.Embedding", "可学习位置编码", "可训练位置编码"],
    at: "learned#train",
  },
  clipping: { en: "clipping", zh: "截断", also: ["clamp"], at: "relative#clip" },
  bucket: { en: "bucket", zh: "分桶", also: ["relative position bucket", "桶"], at: "relative#buckets" },
  bias: {
    en: "attention bias",
    zh: "注意力偏置",
    also: ["relative position bias", "T5", "相对位置偏置"],
    at: "relative#buckets",
  },
  "transformer-xl": { en: "Transformer-XL", zh: "Transformer-XL", also: ["XLNet"], at: "relative#terms" },
  deberta: { en: "disentangled attention", zh: "解耦注意力", also: ["DeBERTa"], at: "relative#deberta" },
  alibi: {
    en: "ALiBi",
    zh: "ALiBi",
    also: ["attention with linear biases", "线性偏置"],
    at: "alibi#bias",
  },
  slope: { en: "slope", zh: "斜率", at: "alibi#bias" },
  rope: {
    en: "rotary position embedding",
    zh: "旋转位置编码",
    also: ["RoPE", "RoFormer", "旋转式位置编码"],
    at: "rope#rotate",
  },
  "partial-rope": { en: "partial rotation", zh: "部分旋转", also: ["partial RoPE"], at: "rope#partial" },
  layout: {
    en: "layout of pairs",
    zh: "配对方式",
    also: ["half", "interleaved", "rotate_half", "前后两半", "相邻交错"],
    at: "rope#layouts",
  },
  complex: { en: "complex number", zh: "复数", at: "rope#hands" },
  extrapolation: { en: "extrapolation", zh: "外推", also: ["外插"], at: "long-context#unseen" },
  "length-extrapolation": {
    en: "length extrapolation",
    zh: "长度外推",
    also: ["train short, test long", "length generalization", "长度泛化", "短训长测"],
    at: "long-context#figure-arena",
  },
  generalization: { en: "generalisation", zh: "泛化", also: ["generalization"], at: "learned#longer" },
  "context-length": {
    en: "context length",
    zh: "上下文长度",
    also: ["context window", "上下文窗口", "训练长度"],
    at: "long-context#unseen",
  },
  "position-interpolation": {
    en: "position interpolation",
    zh: "位置插值",
    also: ["PI", "linear scaling", "位置内插", "线性插值"],
    at: "long-context#lab",
  },
  ntk: { en: "NTK-aware interpolation", zh: "NTK 感知插值", also: ["NTK-aware", "NTK"], at: "long-context#lab" },
  "dynamic-ntk": { en: "dynamic NTK", zh: "动态 NTK", at: "long-context#dynamic" },
  yarn: { en: "YaRN", zh: "YaRN", also: ["NTK by parts", "分段 NTK"], at: "long-context#lab" },
  longrope: { en: "LongRoPE", zh: "LongRoPE", at: "long-context#lab" },
  "attention-factor": {
    en: "attention factor",
    zh: "注意力缩放系数",
    also: ["mscale", "temperature", "温度"],
    at: "long-context#sharp",
  },
  logn: { en: "log n scaling", zh: "LogN 缩放", also: ["LogN", "对数缩放"], at: "long-context#sharp" },
  "sliding-window": {
    en: "sliding window",
    zh: "滑动窗口",
    also: ["local attention", "局部注意力"],
    at: "long-context#figure-arena",
  },
  needle: { en: "needle test", zh: "大海捞针", also: ["needle in a haystack"], at: "long-context#figure-needle" },
  perplexity: {
    en: "loss and perplexity",
    zh: "损失与困惑度",
    also: ["loss", "perplexity", "困惑度"],
    at: "long-context#figure-arena",
  },
  "kv-cache": { en: "KV cache", zh: "键值缓存", also: ["key–value cache", "KV 缓存"], at: "long-context#dynamic" },
  padding: { en: "padding", zh: "填充", also: ["left padding", "左填充"], at: "mistakes#padding" },
  "position-ids": { en: "position ids", zh: "位置编号", also: ["position_ids"], at: "mistakes#cache" },
  precision: {
    en: "half precision",
    zh: "半精度",
    also: ["float16", "bfloat16", "FP16", "BF16"],
    at: "long-context#precision",
  },
  "fine-tuning": { en: "fine-tuning", zh: "微调", at: "long-context#lab" },
  patch: { en: "patch", zh: "图块", also: ["image patch", "图像块"], at: "images#patches" },
  "two-dimensional": {
    en: "two-dimensional positions",
    zh: "二维位置编码",
    also: ["2-D", "2D"],
    at: "images#patches",
  },
  resize: {
    en: "resizing a table",
    zh: "位置表缩放",
    also: ["bicubic interpolation", "双三次插值"],
    at: "images#resize",
  },
  "window-bias": { en: "window bias", zh: "窗口偏置", also: ["Swin"], at: "images#window" },
  axial: { en: "axial RoPE", zh: "轴向 RoPE", also: ["3-D RoPE", "三维旋转"], at: "images#video" },
  mrope: { en: "M-RoPE", zh: "M-RoPE", also: ["multimodal RoPE", "多模态旋转位置编码"], at: "images#mrope" },
  simd: { en: "SIMD", zh: "SIMD", also: ["vector instructions", "单指令多数据"], at: "speed#lanes" },
} satisfies Record<string, Term>;

export type TermName = keyof typeof terms;

/** Written in none of the course's Chinese texts, and what stands there instead. */
export const avoided: Record<string, string> = {
  位置内插: "位置插值",
  外插: "外推",
  令牌: "词元",
  一热: "独热",
  长程衰减: "远程衰减",
  "NTK-aware": "NTK 感知",
  得分: "分数",
  份额: "贡献",
  特征对: "对",
  次序: "顺序",
  密钥: "密码",
};

/** The page and the anchor behind `at`. */
export function placeOf({ at }: Term): { page: string; anchor: string } {
  const [page = "", anchor = ""] = at.split("#");
  return { page, anchor };
}

/** Names in lower case, without what makes no difference: spaces and hyphens. */
const bare = (text: string) => text.toLowerCase().replace(/[\s‑-]/g, "");

/** Terms that the reader may mean: first those of that name, then those whose explanation has the words. */
export function found(query: string, meanings: Record<TermName, string>): TermName[] {
  const names = Object.keys(terms) as TermName[];
  const wanted = bare(query);
  if (!wanted) return names;
  const isNamed = (name: TermName) => {
    const { en, zh, also = [] }: Term = terms[name];
    return [en, zh, ...also].some((one) => bare(one).includes(wanted));
  };
  const explains = (name: TermName) => bare(meanings[name].replace(/<[^>]*>/g, "")).includes(wanted);
  return [...names.filter(isNamed), ...names.filter((name) => !isNamed(name) && explains(name))];
}

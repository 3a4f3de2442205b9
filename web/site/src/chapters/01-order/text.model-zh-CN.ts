// 第一章的真实模型：简体中文。
import type { modelEn } from "./text.model-en.ts";

export const modelZhCN: typeof modelEn = {
  heading: "一个真实的模型，位置交到你手里",
  paragraphs: [
    "这里有九个小语言模型，都是为本页训练的。先用的是读过中文诗词的一个：一百万个参数的 Transformer，一个字一个字地猜下文。（大模型读的是<em>词元</em>，也就是词或词的一部分；本教程多数时候都称为词。）",
  ],
  predict: {
    question: "给它“床前明月光，疑是地上霜。举头望明月，低头思”，它会接着往下写。如果拿走它的位置，它会写什么？",
    options: ["和原来一样", "别的话，但同样通顺", "结结巴巴"],
    answer: 2,
    reveal: "让它读一遍，再按“拿走”：它知道出现过哪些字，却不知道哪个是刚刚出现的。",
  },
  points: [
    "<em>整体平移</em>：所有位置一起后移。RoPE 和 ALiBi（第 8、9 章）只看距离，毫无察觉；可学习的表每个位置一个向量，只有 256 行，会报错。英文模型里还有正弦编码：它在 2000 处仍然有值，但模型从没见过。",
  ],
  why: [
    {
      title: "模型能不能完全不要位置？",
      paragraphs: [
        "“无位置编码”是一个从头就没有位置的模型：每个字看得见多少字，顺序就从那里漏进来一点（见下面的“掩码漏出的顺序”）。它也能读，只是差一些；这一个没有训练好。",
      ],
    },
    {
      title: "什么是头？哪个头靠位置过日子？",
      paragraphs: [
        "每一层并排运行好几个注意力，各有各的查询、键和值，它们叫作<em>头</em>；这些模型有四层，每层四个头。",
        "中文 RoPE 模型第 1 层的第 2 头总看前一个字，给它 0.69 的权重。RoPE 把两个数作为一对来旋转，角度随位置增大；让这个头最快的一对（第 0 对）停住不转，就只剩 0.18。（英文是第 1 层第 3 头：0.71 变成 0.32。都是一段文本上从第九个字符起的平均。）",
      ],
    },
  ],
  figure: {
    title: "你手里的模型",
    shows:
      "一段文本，模型越没料到的字颜色越深；模型接下来怎么写；接下来最可能的五个字；以及一个头的注意力权重。用控件改变模型的位置。",
    caption:
      "颜色越深，这个字符在前文之后越出人意料。意外程度以奈特为单位：0 是必然，0.7 相当于二选一。六个模型读英文《圣经》，三个读中文诗词，除了位置编码完全一样。模型就在你的电脑上运行，每一层都在这个页面里；位置编码和注意力由 posenc（本教程背后的开源库）计算。你输入的内容不会离开这台电脑。",
    language: "模型的语言",
    languages: { en: "英文（《圣经》）", zh: "中文（诗词）" },
    model: "训练时用的编码",
    encodings: {
      none: "无位置编码",
      sinusoidal: "正弦编码",
      learned: "可学习的表",
      t5: "T5",
      alibi: "ALiBi",
      rope: "RoPE",
    },
    label: "文本",
    cut: "只读最后 {count} 个字符。",
    sampleLabel: "或者",
    shuffle: "打乱顺序",
    treatment: "它的位置",
    treatments: {
      trained: "训练时的样子",
      away: "拿走",
      shifted: "整体平移",
      scrambled: "打乱",
      swapped: "换一种编码",
    },
    shift: "平移",
    swap: "换成",
    start: "让它读（要下载 {megabytes} MB）",
    reading: "正在读……",
    nextTitle: "下一个字是什么？",
    character: "字符",
    share: "概率",
    loss: "奈特",
    lossTable: "每个字符有多出人意料",
    placesTable: "字符所在的位置",
    summary: "平均每个字符 {mean} 奈特。",
    goesOn: "模型接着写：“{continuation}”",
    mapTitle: "一个头看见了什么",
    layer: "层",
    head: "头",
    pair: "停住的维度对",
    allTurn: "−1：所有维度对都转。",
    still: "这个头的第 {pair} 对不转。",
    query: "从哪里看",
    key: "看哪里",
    readMap: "“{query}”给“{key}”的权重是 {weight}",
  },
};

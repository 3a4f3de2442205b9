// 第一章的真实模型：简体中文。
import type { modelEn } from "./text.model-en.ts";

export const modelZhCN: typeof modelEn = {
  heading: "一个真实的模型，位置交到你手里",
  paragraphs: [
    "这些语言模型有一百万个参数，是专门为这一页训练的：六个读英文《圣经》，三个读中文诗词，除了位置编码完全一样。让其中一个接着一句话往下写，再把它的位置拿走看看。",
  ],
  points: [
    "<em>拿走位置</em>：字还是那些字，模型却迷路了。刚才还能流利地背诵，现在只会结巴：它知道出现过哪些字，却不知道哪个是刚刚出现的。",
    "<em>整体平移</em>：RoPE、ALiBi 和 T5 看的是距离，毫无察觉。学习表只有 256 行，会报错；正弦编码在 2000 处仍然有值，但模型从没见过。",
    "<em>无位置编码</em>是一个从头就没有位置的模型：每个字能看见多少字，顺序就从那里漏进来一点，它也能读，只是差一些（这一个没有训练好）。",
    "<em>靠位置过日子的头</em>：中文 RoPE 模型第 1 层的第 2 头总看前一个字，给它 0.69 的权重；让它最快的一对（第 0 对）停住不转，就只剩 0.18。（英文是第 1 层第 3 头：0.71 变成 0.32。都是一段文本上从第九个字符起的平均。）",
  ],
  figure: {
    title: "你手里的模型",
    shows:
      "一段文本，模型越没料到的字颜色越深；模型接下来怎么写；最可能的五个下一字符；以及一个头的注意力权重。用控件改变模型的位置。",
    caption:
      "颜色越深，表示这个字符在前文之后越出人意料。模型就在你的电脑上运行，每一层都在这个页面里；位置编码和注意力由本库计算。你输入的内容不会离开这台电脑。",
    language: "模型的语言",
    languages: { en: "英文（《圣经》）", zh: "中文（诗词）" },
    model: "训练时用的编码",
    encodings: {
      none: "无位置编码",
      sinusoidal: "正弦",
      learned: "学习表",
      t5: "T5",
      alibi: "ALiBi",
      rope: "RoPE",
    },
    label: "文本",
    cut: "只读最后 {count} 个字符。",
    sampleLabel: "或者",
    samples: {
      en: [
        "And God said, Let there be light: and there was ",
        "The LORD is my shepherd; I shall not ",
        "In the beginning God created the heaven and the ",
      ],
      zh: [
        "床前明月光，疑是地上霜。\n举头望明月，低头思",
        "白日依山尽，黄河入海流。\n欲穷千里目，更上一",
        "春眠不觉晓，处处闻啼鸟。\n夜来风雨声，花落知多",
      ],
    },
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
    summary: "平均每个字符 {mean} 奈特。",
    goesOn: "它接着写：“{continuation}”",
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

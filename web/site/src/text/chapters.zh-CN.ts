// 各章的标题和简介，按阅读顺序：简体中文。
import type { chaptersEn } from "./chapters.en.ts";

export const chaptersZhCN: typeof chaptersEn = {
  order: { title: "顺序为什么重要", summary: "注意力眼里只有一袋词。把词拖来拖去，看它毫无察觉。" },
  counting: {
    title: "从计数到波",
    summary: "独热、整数、比例、二进制、正弦、正弦加余弦：给词编号的六种办法，前五种各有什么毛病。",
  },
  sinusoidal: { title: "正弦位置编码", summary: "把一排钟记成一张由波组成的表，加到词向量上。拉长它，再换个底数。" },
  rotation: { title: "转出来的相对位置", summary: "同一个矩阵把任何位置挪动 k 步；两个位置的点积量出它们的距离。" },
  adding: { title: "为什么用加法？", summary: "词加位置，每个分数就有四项。它们为什么不会互相淹没？" },
  learned: {
    title: "可学习的位置表",
    summary: "在浏览器里训练一张位置表，看它的各行怎样排好顺序，再看最后一行之外是什么。",
  },
  relative: { title: "相对位置", summary: "Shaw、Transformer-XL、T5 不看在哪里，只看隔多远：截断、移位和分桶。" },
  rope: { title: "旋转位置编码与注意力", summary: "查询和键像钟的指针一样转动；两次转动之后，只剩下角度之差。" },
  alibi: { title: "ALiBi", summary: "按距离直线扣分，各个头陡缓不同。一个头还能看多远？" },
  "long-context": {
    title: "长上下文",
    summary: "位置插值、NTK、YaRN、Llama 3.1、LongRoPE：各自放慢了哪些钟？float32 又在哪里失准？",
  },
  images: { title: "图像与视频", summary: "行、列、帧：二维和三维的位置，以及怎样给可学习的表换尺寸。" },
  models: {
    title: "哪个模型用哪种编码",
    summary: "从 2017 年到今天的公开模型和它们的位置编码。贴上一份配置，看看它是什么意思。",
  },
  speed: { title: "在你的机器上有多快？", summary: "posenc 和普通 JavaScript，就在你面前的这台机器上比一比。" },
};

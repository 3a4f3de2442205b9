// 已发布的模型一章，主线之外的几节：简体中文。
import type { furtherEn } from "./text.further-en.ts";

export const furtherZhCN: typeof furtherEn = {
  parts: {
    heading: "编码器、解码器，还是两者都有",
    paragraphs: [
      "<em>编码器</em>把一段文本或一幅图当作整体来读：BERT、ViT、CLIP。每个词都看得见其他所有的词，没有位置编码就完全不知道顺序。它们大多用可学习的表；反正文本截到 512 个词元，表就不会用完。NEZHA 和 DeBERTa 用表示距离的向量，Jina Embeddings 2 用对称的 ALiBi，较新的 ModernBERT 用旋转。",
      "<em>解码器</em>一个词一个词地往下写：GPT、Llama、Qwen、DeepSeek。一个词只看得见它前面的，单凭这一点就透露了一些顺序。GPT‑2 和 OPT 用可学习的表，BLOOM 和 MPT 用 ALiBi；Llama 以后的几乎都用旋转。",
      "<em>两者都有</em>的模型用来翻译、写摘要、听写语音：最早的 Transformer、T5、BART、Whisper。两部分各从自己的开头数起。解码器去看编码器的时候，两边的编号毫不相干，所以 T5 在那里不加偏置。两部分也可以不同：Whisper 的编码器用正弦编码，解码器用可学习的表。",
    ],
  },
  chinese: {
    heading: "从 RoFormer 到 DeepSeek",
    paragraphs: [
      "<em>RoFormer</em>（2021）是 RoPE 的出处，随它公布的权重就是中文的。在它之前，<em>NEZHA</em>（2019）已经给 BERT 换上了表示距离的向量，用的是不学习的正弦波。",
      "<em>百川</em>一家有两种答案：7B 用旋转，13B 用 ALiBi，第一代和第二代都是如此。<em>ChatGLM‑6B</em> 按两个轴旋转，一个数提示词，一个数回答；从 ChatGLM2 起又只有一个轴，每个头只旋转一半。",
      "<em>通义千问</em>（Qwen，2023）遇到更长的文本就逐级提高底数（动态 NTK），再把查询乘以长度的对数（LogN），免得键多了注意力变散。Qwen2.5 的底数是一百万，再长就用 YaRN。Qwen2.5‑1M 把长文本切成块，把距离折回来，不让任何距离超过训练时的长度（双块注意力，DCA）。",
      "<em>DeepSeek</em> 的潜在注意力（MLA）每个词只留一个短向量，所有头的键都由它算出来。中间要是夹着旋转，就得按每个位置再转回去。所以每个头有 128 维不转，另有 64 维旋转，旋转的键由所有的头共用一个。",
    ],
  },
  beyond: {
    heading: "对话之外：从翻译到推荐",
    paragraphs: [
      "<em>翻译</em>：Transformer 就是为它而生的，用的是正弦编码；图谱里的 Marian 和 M2M100 至今如此。句子很短，这门课里的哪一种编码都够用。",
      "<em>摘要</em>要读完整篇文章。Longformer 把 RoBERTa 的 512 行可学习的表一遍遍复制成 4096 行，写摘要的编码器-解码器版本对 BART 的表也这样做，然后接着训练。",
      "<em>时间序列</em>：日历和先后顺序同样重要。Informer 在正弦编码之外，再加上表示小时、星期、日和月的可学习向量。Chronos 把数值变成词元，T5 连同它按距离的偏置照搬过来。",
      "<em>推荐</em>：SASRec 给用户最近的每一步加上可学习的一行；HSTU 加的是两种偏置，一种看隔了几步，一种看隔了多久。",
      "这些场合，要想清楚的都是同一件事：一步是什么？一个词、一个图块、一小时，还是一次点击。编码只负责数，数什么由你定。",
    ],
  },
};

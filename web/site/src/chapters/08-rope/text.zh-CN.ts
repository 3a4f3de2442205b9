// 旋转位置编码一章：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";
import { further } from "./text.further-zh-CN.ts";
import { invent } from "./text.invent-zh-CN.ts";

export const zhCN: typeof en = {
  question: "把查询和键当作钟的指针，按词的位置转动：夹角随两个词的距离而变，同它们站在哪里无关。",
  idea: [
    "位置就是一排快慢不同的钟：把两个位置的钟逐只对照，看指针的夹角，就知道隔了多远。<em>旋转位置编码</em>（RoPE）把这句话当真：查询里的数每两个配成一对，键里的数也是；每一对就是表盘上的一根指针，由词的位置来转动。",
    "拖动两词之间的横条：两根指针一起转，夹角不变。位置只通过这个夹角影响注意力。",
  ],
  hands: {
    heading: "两根指针，一个夹角",
    paragraphs: [
      "位置 $m$ 转动查询的指针，位置 $n$ 转动键的指针，<span data-link='pair'>第 $i$ 对</span>每走一步转 $\\theta_i$。这一对对分数的贡献，等于两根指针的长度之积乘以夹角的余弦：",
      "$$s_i = |q_i|\\,|k_i|\\,\\cos\\bigl(\\varphi_i + (n - m)\\,\\link{pair}{\\theta_i}\\bigr)$$",
      "$\\varphi_i$ 是两个词自带的夹角，位置只往上加 $(n - m)\\,\\theta_i$，别无其他。全部 32 个贡献加起来，就是注意力分数。",
    ],
    points: [
      "<em>高频</em>的对（第 0、1、2 对）几个位置之内就来回摆动，能分清近邻。",
      "<em>低频</em>的对在这把尺子上几乎不动，不管词站在哪里，它都能带着词义。",
    ],
    why: [
      {
        title: "为什么只剩下位置之差？",
        paragraphs: [
          "两根指针的点积只取决于长度和夹角，而转动不改变长度。查询的指针转了 $m\\theta_i$，键的指针转了 $n\\theta_i$，夹角就增加了 $n\\theta_i - m\\theta_i$。把位置 $m$ 上各对的转动合起来记作 $R_m$：",
          "$$(R_m\\, q) \\cdot (R_n\\, k) = q \\cdot (R_{n-m}\\, k)$$",
        ],
      },
    ],
    figure: {
      title: "查询和键里的同一对数",
      shows:
        "一个表盘上有查询和键同一对数的两根指针，一把可以移动两个词的尺子，这一对对分数的贡献随距离的变化，以及全部 32 对的贡献。",
      words: { query: "猫", key: "老鼠" },
      pair: "第 i 对（共 32 对）",
      query: "查询",
      key: "键",
      both: "两个词一起",
      read: "查询在 {left}，键在 {right}：这一对给分数加上 {share}",
      share: "贡献",
      distance: "键的位置 − 查询的位置",
      curveLabel: "这一对对分数的贡献随距离的变化",
      readCurve: "距离 {distance}：贡献 {share}",
      strip: "全部 32 个贡献，合起来就是分数 {score}。指向其中一个即可选中那一对。",
      sharesLabel: "每一对对分数的贡献",
      pairName: "对",
    },
  },
  shift: {
    heading: "整体平移",
    paragraphs: ["在句子前面放一段很长的文字，所有的位置都往后移了同样多。词与词之间的关系并没有变。"],
    predict: {
      question: "谁的注意力权重会变？",
      options: ["RoPE", "加上去的正弦编码", "两者都变"],
      answer: 1,
      reveal:
        "加上去的正弦编码成了向量的一部分，词的内容会在点积里和绝对位置相乘，权重于是随着平移而漂移。RoPE 只剩下 32 位浮点数的舍入误差，千万分之几。下一章的 ALiBi 也只看距离。",
    },
    figure: {
      title: "同一个句子，往后挪",
      shows: "句子平移后的四个注意力权重矩阵，下面是权重的最大变化。",
      slider: "所有位置后移",
      change: "权重的最大变化",
      exact: "恰好为 0",
    },
    points: [
      "<em>RoPE 让注意力看到的只有距离。</em>那么，训练时从没见过的距离呢？<a href='./babble.html'>模型就会胡言乱语</a>：为什么，怎么修，十分钟讲完。",
    ],
  },
  invent,
  apart: {
    heading: "越来越远",
    paragraphs: [
      "距离拉开以后，高频的指针方向各异、互相抵消，只有低频的还大致同向。所以常有人说：两个词离得越远，分数越低，这就是<em>远程衰减</em>。先拖动两个词看看；再去掉本页所有词向量共有的那一部分，让各个数的均值为零。",
    ],
    predict: {
      question: "去掉共有部分以后，两个不同的词的分数，平均来看还随距离下降吗？",
      options: ["下降", "不下降", "反而上升"],
      answer: 1,
      reveal:
        "这时不同的词没有共同之处，平均分数在任何距离上都在 0 附近；一个词和它自己的分数则仍然衰减。衰减的是查询和键相一致的那一部分。",
    },
    points: [
      "第一条曲线并不对称：一般来说，查询和键不同时，RoPE 分得出<em>前</em>和<em>后</em>。",
      "RoPE 有效，未必是因为远程衰减。Barbero 等（2024）证明，可以让一个头偏爱任意一个距离；在他们研究的模型里，高频的对造就了盯着固定位置（比如前一个词）的头，低频的对则承载意义。",
    ],
    figure: {
      title: "尺子上的两个词和它们的分数",
      shows:
        "一把尺子，上面的查询和键可以拖动；还有两者的分数、分数随所有距离变化的曲线，以及许多词的平均分数随距离的变化。",
      query: "查询",
      key: "键",
      both: "两个词一起",
      zeroMean: "词向量均值为零",
      score: "分数",
      ruler: "查询“{query}”在 {left}，键“{key}”在 {right}：距离 {distance}，分数 {score}",
      curveTitle: "这两个词",
      curveLabel: "这两个词的分数随距离的变化",
      distance: "键的位置 − 查询的位置",
      readCurve: "距离 {distance}：分数 {score}",
      meanTitle: "100 对词的平均",
      meanLabel: "100 对词的平均分数随距离的变化",
      meanDistance: "距离",
      kinds: { same: "一个词和它自己", different: "两个不同的词" },
    },
  },
  ...further,
  code: {
    paragraphs: ["按你在上面设定的底数和尺子上两个词的位置，旋转一个查询和一个键，并说明一起平移不会改变分数。"],
  },
  quiz: [
    {
      question: "查询和键都往后移 1000 个位置。在 RoPE 之下，它们的分数会怎样？",
      options: [
        {
          text: "不变，只差舍入误差。",
          why: "两者多转了同样的角度，点积只看两次转动之差。",
        },
        {
          text: "会衰减。",
          why: "分数随两者之间的距离变化，而距离没有变。",
        },
        {
          text: "变成随机的数。",
          why: "角度是大了，但它们的差和原来完全一样。",
        },
      ],
      answer: 0,
    },
    {
      question: "RoPE 会怎样改变查询向量的长度？",
      options: [
        {
          text: "随位置变长。",
          why: "旋转改变方向，不改变长度。",
        },
        {
          text: "长度不变。",
          why: "每一对都只是转动，而转动保持长度。",
        },
        {
          text: "归一化为 1。",
          why: "没有除以任何数，原来多长就还是多长。",
        },
      ],
      answer: 1,
    },
    {
      question: "面向长文本的模型为什么用 500 000 甚至更大的底数？",
      options: [
        {
          text: "为了算得更省。",
          why: "底数是多少，计算量都一样。",
        },
        {
          text: "让慢的对转得更慢，远处的距离仍然分得开。",
          why: "底数越大，慢的波长就越过上下文的长度，衰减也延伸得更远。",
        },
        {
          text: "因为 float32 存不下更小的底数。",
          why: "哪个底数它都存得下。",
        },
      ],
      answer: 1,
    },
    {
      question:
        "“哪两个数算一对？”一节说到两种排法。一个按相邻式训练的模型，运行时查询和键都用了对半式。你会看到什么？",
      options: [
        {
          text: "报错，因为形状对不上。",
          why: "两种排法的形状完全一样，没有什么会报错。",
        },
        {
          text: "分数仍然只取决于距离，但已经不是训练时的分数。",
          why: "两者转得一样，所以只有距离起作用；可是配成对的数不同了，每一对的转速也不同了。",
        },
        {
          text: "分数不变，因为点积与各项的顺序无关。",
          why: "只有把权重也重排了才是这样：那时配成的对又和原来一样了。",
        },
      ],
      answer: 1,
    },
  ],
  sources: [
    {
      cite: "Su 等，RoFormer: Enhanced Transformer with Rotary Position Embedding，2021，第 3 节",
      url: "https://arxiv.org/abs/2104.09864",
      note: "式 13 至 16 定义了旋转；第 3.4.1 节是推导，第 3.4.3 节讨论随距离的衰减。",
    },
    {
      cite: "苏剑林，Transformer升级之路：2、博采众长的旋转式位置编码，科学空间，2021",
      url: "https://kexue.fm/archives/8265",
      note: "中文的推导。",
    },
    {
      cite: "Barbero 等，Round and Round We Go! What makes Rotary Positional Encodings useful?，2024",
      url: "https://arxiv.org/abs/2410.06205",
      note: "高频和低频的对各有什么用，以及为什么衰减不是关键。",
    },
    {
      cite: "Men 等，Base of RoPE Bounds Context Length，2024",
      url: "https://arxiv.org/abs/2405.14591",
      note: "余弦之和，以及由它得到的底数下界。",
    },
    {
      cite: "Press 等，Train Short, Test Long（ALiBi），2021",
      url: "https://arxiv.org/abs/2108.12409",
    },
    {
      cite: "Grattafiori 等，The Llama 3 Herd of Models，2024，第 3.2 节",
      url: "https://arxiv.org/abs/2407.21783",
      note: "用 500 000 的底数支持长上下文。",
    },
    {
      cite: "Black 等，GPT-NeoX-20B: An Open-Source Autoregressive Language Model，2022，第 2.1.1 节",
      url: "https://arxiv.org/abs/2204.06745",
      note: "只对每个头前四分之一的维度做旋转。",
    },
    {
      cite: "Wang、Komatsuzaki，GPT-J-6B，2021",
      url: "https://github.com/kingoflolz/mesh-transformer-jax",
      note: "相邻式，256 维的头转其中 64 维。",
    },
    {
      cite: "Hugging Face，convert_llama_weights_to_hf.py，函数 permute",
      url: "https://github.com/huggingface/transformers/blob/main/src/transformers/models/llama/convert_llama_weights_to_hf.py",
      note: "把 Llama 的相邻式权重重排成对半式。",
    },
    {
      cite: "Yang 等，Baichuan 2: Open Large-scale Language Models，2023",
      url: "https://arxiv.org/abs/2309.10305",
      note: "7B 用 RoPE，13B 用 ALiBi。",
    },
    {
      cite: "THUDM，ChatGLM-6B，2023",
      url: "https://huggingface.co/THUDM/chatglm-6b",
      note: "每个词元有两个位置。",
    },
    { cite: "Qwen Team，Qwen2.5 Technical Report，2024", url: "https://arxiv.org/abs/2412.15115" },
    {
      cite: "DeepSeek-AI，DeepSeek-V2，2024",
      url: "https://arxiv.org/abs/2405.04434",
      note: "多头潜在注意力和解耦的 RoPE。",
    },
  ],
};

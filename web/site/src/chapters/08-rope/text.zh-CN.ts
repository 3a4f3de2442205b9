// 旋转位置编码一章：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";
import { further } from "./text.further-zh-CN.ts";

export const zhCN: typeof en = {
  question:
    "“猫追老鼠”和“老鼠追猫”用的是同样的词。在这一页里，你可以交换词语、平移整个句子、拉开两个词，看看哪些注意力<strong>察觉得到</strong>。",
  idea: [
    "前面的位置信息都是加上去的：要么加到词向量上，要么加到得分上。旋转位置编码（RoPE）什么也不加：查询和键在比较之前，各按自己的位置<em>转</em>过一个角度。",
    "两座走得一样快的钟，不管几点，指针之间的夹角总是不变。同样，两个转过的向量只知道彼此相隔多远，至于各自站在哪里，它们一无所知。",
  ],
  swap: {
    heading: "注意力看得见词序吗？",
    paragraphs: [
      "自注意力把每个词和其他每个词相比：查询 $q$ 与键 $k$ 的得分是点积 $q \\cdot k$，softmax 把一行得分变成权重，输出就是各个值的加权平均。这里面没有任何东西说明词站在<em>哪里</em>。",
      "下面让同一个句子四次通过注意力：不加位置、把正弦编码加到词向量上、用旋转位置编码（RoPE）、用 ALiBi（见下一章）。交换两个词，看看谁的输出变了。",
    ],
    points: [
      "<em>不加位置</em>时，权重跟着词一起走，每个词的输出和原来相同，只差舍入误差。对这样的注意力来说，两个句子是同一袋词。",
      "<em>加上位置</em>以后，输出就变了，而且各有各的变法：正弦编码和 RoPE 随距离逐渐减弱，ALiBi 每远一步扣掉固定的分数，也就是那个头的<em>斜率</em>。",
      "<em>ALiBi</em> 只知道多远，不知道朝哪边。把句子左右对调，比如“猫追老鼠”变成“老鼠追猫”，所有的距离都没变，输出也就没变。实际使用 ALiBi 时总配着因果掩码，方向由掩码给出：打开试试。",
      "不加位置而打开<em>因果掩码</em>：输出居然也变了。只能往回看的词，从自己看得见多少就能知道一点自己的位置。",
    ],
    figure: {
      title: "一个句子，四种注意力",
      shows:
        "同一个句子的四个注意力权重矩阵：不加位置、正弦编码、RoPE 和 ALiBi。每个矩阵下面列出交换词语之后各个词的输出变了多少。",
      caption:
        "词向量是造出来的：$64$ 个数，一部分为所有的词共有，一部分由词的字母或汉字决定，所以同一个词的向量总是相同。它同时用作查询、键和值。颜色越鲜明，权重越大；四幅图用同一把色尺。",
      help: "把一个词拖到另一个词上，或者先点一个、再点另一个。方向键可以移动获得焦点的词。",
      words: "按顺序排列的词",
      sentence: "你的句子",
      examples: "例句",
      sentences: ["猫 追 老鼠", "我爱你", "狗咬人", "人咬狗", "the dog bites the man", "the cat sat on the mat"],
      swapEnds: "交换“{first}”和“{second}”",
      back: "恢复原来的顺序",
      causal: "因果掩码（不看后文）",
      head: "ALiBi 的头",
      headValue: "第 {head} 个（斜率 {slope}）",
      methods: {
        none: "不加位置",
        sinusoidal: "正弦编码",
        rope: "RoPE",
        alibi: "ALiBi",
      },
      methodNotes: {
        none: "只有词",
        sinusoidal: "加到词向量上",
        rope: "旋转查询和键",
        alibi: "按距离扣分",
      },
      queryName: "查询",
      keyName: "键",
      matrixLabel: "{method}的注意力权重：每行是一个查询",
      read: "{query} → {key}：{weight}",
      untouched: "交换两个词，就能比较。",
      allSame: "每个词的输出都和原来一样。",
      someSame: "{count} 个输出中有 {changed} 个变了。",
      same: "不变",
      largest: "最大差值 {difference}",
      each: "每个词的输出变化",
    },
  },
  rotate: {
    heading: "不是相加，而是旋转",
    paragraphs: [
      "旋转位置编码不去改动词向量。它把每个查询和键里的数两两配对，让每一对像钟的指针一样<em>转动</em>。转角 $m\\theta_i$ 随位置 $m$ 增大，每一对 $i$ 各有各的转速：",
      "$$\\begin{aligned} x' &= x\\,\\cos(\\link{position}{m}\\theta_i) - y\\,\\sin(\\link{position}{m}\\theta_i) \\\\ y' &= x\\,\\sin(\\link{position}{m}\\theta_i) + y\\,\\cos(\\link{position}{m}\\theta_i) \\end{aligned}$$",
      "转速 $\\theta_i = \\link{base}{b}^{-2i/d}$ 就是正弦编码的频率，$d$ 是一个头有几个数。把位置 $m$ 上各对的转动合起来记作 $R_m$。它不改变长度；两个转过的向量做点积，只剩下两个转角之<em>差</em>：",
      "$$(R_m\\, q) \\cdot (R_n\\, k) = q \\cdot (R_{n-m}\\, k)$$",
    ],
    figure: {
      title: "六对数在某个位置各转了多少",
      shows: "六个钟面。每个上面的指针表示 RoPE 在所选位置把这一对转了多少；后面的对转得更慢。",
      position: "位置 m",
      pair: "第 {pair} 对",
      pairColumn: "对",
      angle: "角度",
      note: "每步 {angle}",
    },
  },
  shift: {
    heading: "整体平移",
    paragraphs: [
      "在句子前面放一段很长的文本：所有的位置都往后移了同样多。词与词之间的关系没有变，我们希望它们的注意力也不变。",
    ],
    points: [
      "<em>RoPE 和 ALiBi</em> 只看距离。RoPE 至多剩下 32 位浮点数的舍入误差：千万分之几，有时连这一点也没有。",
      "<em>正弦编码</em>成了向量的一部分，词的内容会在点积里和绝对位置相乘，权重于是随着平移而漂移。",
    ],
    figure: {
      title: "同一个句子，往后挪",
      shows: "句子平移后的四个注意力权重矩阵，下面是权重的最大变化。",
      slider: "所有位置后移",
      change: "权重的最大变化",
      exact: "恰好为 0",
    },
  },
  apart: {
    heading: "拉开两个词",
    paragraphs: ["一个查询、一个键、一把尺子。拖动其中一个，得分就变；拖动两者之间的横条，两个一起走，得分纹丝不动。"],
    points: [
      "第一条曲线并不对称：除非查询和键一样，否则 RoPE 分得出<em>前</em>和<em>后</em>。",
      "第二条曲线不看词，只是 $\\cos((n-m)\\,\\theta_i)$ 对所有各对的平均：近处强，远处弱，缓慢衰减。",
      "本页的词向量有一部分是共有的，相当于 $1 + 0.4$ 倍的噪声，所以第一条曲线也会衰减。如果向量的均值为零，平均来看就没有这种衰减。Barbero 等（2024）认为，RoPE 之所以有效，并不是因为衰减：在他们研究的模型里，转得快的对造就了只看位置的头，转得慢的对则承载意义。",
      "<em>底数越大</em>，慢的那些对转得越慢，衰减也越慢。所以面向长文本的模型会用 $b = 500\\,000$ 甚至更大的底数。",
    ],
    figure: {
      title: "尺子上的两个词和它们的得分",
      shows: "一把尺子，上面的查询和键可以拖动；还有两者的得分、得分随所有距离变化的曲线，以及余弦平均值随距离的变化。",
      query: "查询",
      key: "键",
      both: "两个词一起",
      base: "底数 b",
      score: "得分",
      ruler: "查询“{query}”在 {left}，键“{key}”在 {right}：距离 {distance}，得分 {score}",
      curveTitle: "这两个词",
      curveLabel: "这两个词的得分随距离的变化",
      distance: "键的位置 − 查询的位置",
      readCurve: "距离 {distance}：得分 {score}",
      profileTitle: "一般情形",
      profileLabel: "各对余弦的平均值随距离的变化",
      profile: "余弦的平均值",
      profileDistance: "距离",
      readProfile: "距离 {distance}：{score}",
    },
  },
  ...further,
  code: {
    paragraphs: ["按你在上面设定的位置和底数，旋转一个查询和一个键，并说明一起平移不会改变得分。"],
  },
  quiz: [
    {
      question: "查询和键都往后移 1000 个位置。在 RoPE 之下，它们的得分会怎样？",
      options: [
        {
          text: "不变，只差舍入误差。",
          why: "两者多转了同样的角度，点积只看两次转动之差。",
        },
        {
          text: "会衰减。",
          why: "得分随两者之间的距离变化，而距离没有变。",
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
      question: "一个按相邻式训练的模型，运行时查询和键都用了对半式。你会看到什么？",
      options: [
        {
          text: "报错，因为形状对不上。",
          why: "两种排法的形状完全一样，没有什么会报错。",
        },
        {
          text: "得分仍然只取决于距离，但已经不是训练时的得分。",
          why: "两者转得一样，所以只有距离起作用；可是配成对的数不同了，每一对的转速也不同了。",
        },
        {
          text: "得分不变，因为点积与各项的次序无关。",
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
      note: "式 13 至 16 定义了旋转；第 3.4.3 节讨论随距离的衰减。",
    },
    {
      cite: "Barbero 等，Round and Round We Go! What makes Rotary Positional Encodings useful?，2024",
      url: "https://arxiv.org/abs/2410.06205",
      note: "快的对和慢的对各有什么用，以及为什么衰减不是关键。",
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
  ],
};

// 第 1 章，顺序为什么重要：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";
import { furtherZhCN } from "./text.further-zh-CN.ts";
import { modelZhCN } from "./text.model-zh-CN.ts";

export const zhCN: typeof en = {
  question:
    "“狗咬人”和“人咬狗”用的是同样三个词。今天的语言模型背后，是一种叫 Transformer 的神经网络，它<strong>看得出</strong>区别吗？",
  idea: [
    "网络靠<em>注意力</em>让词与词互相参考。每条色带用颜色画出一个词经过注意力之后得到的那些数：上面是<span data-link='original'>在原句里</span>，下面是<span data-link='reordered'>在你排的顺序里</span>。不加位置，无论你把词拖到哪里，上下都一样：注意力分不出这是两句话。加上位置，网络知道每个词站在哪里，顺序就起作用了。",
    "注意力是这样工作的。对网络来说，一个词是一串数，叫作<em>向量</em>。由它得到三样东西：<em>查询</em>，说明这个词在找什么；<em>键</em>，说明它能提供什么；<em>值</em>，是它要交出去的内容。查询和键的<em>点积</em>（对应的数相乘，再全部相加）衡量两者合不合拍，这就是注意力分数。<em>softmax</em> 把这些分数变成权重：都是正数，加起来等于 1。词的输出，就是所有的值按权重求出的平均。",
    "在这个过程里，词的<em>位置</em>，也就是图中写在词上方的数，用在了哪里？哪里也没用上。求平均时，先加谁后加谁都一样。注意力本身只看得见一袋词。（逐词生成文本的模型带有<em>因果掩码</em>，每个词只看得见前面的词，这会漏出一点顺序。）",
  ],
  words: {
    heading: "一袋词",
    paragraphs: [],
    predict: {
      question: "交换“狗”和“人”。不加位置时，三个词里有几个的注意力输出会变？",
      options: ["一个也不变", "狗和人", "三个都变"],
      answer: 0,
      reveal: "下面已经换好：左边什么也没变，右边每个词都变了。",
    },
    points: [
      "<em>随便拖一个词</em>：不加位置时，什么也不会变，顶多在第七位数字上偶尔有一点舍入误差。",
      "试试英文例句“the dog bites the man”：<em>两个 the</em> 一个属于狗，一个属于人，不加位置时它们完全相同；加上位置，就分开了。",
      "<em>加上位置</em>以后，连没有挪动的词也会变，因为它周围的词换了位置。",
    ],
    why: [
      {
        title: "为什么一定如此？把句子写成矩阵",
        paragraphs: [
          "把句子写成矩阵 $X$，也就是一张数表，每个词占一行；把换序写成置换矩阵 $P$，于是 $PX$ 还是那些行，只是换了顺序。不加位置的注意力是一个函数 $f$，对任何 $P$ 都有",
          "$$\\link{reordered}{f(P X)} = P\\,\\link{original}{f(X)}$$",
          "这样的函数叫作<em>置换等变</em>的：输入换了顺序，输出就跟着换同样的顺序，除此之外什么也不会发生。Transformer 里的归一化和前馈层都是逐词处理的，所以把许多层叠起来，整个模型仍然是置换等变的。证明见下面的“权重跟着词走”。",
        ],
      },
      {
        title: "如果模型把所有输出取平均呢？",
        paragraphs: [
          "分类器常常这么做，叫作<em>池化</em>。这时连顺序的变化也不见了。把 $n$ 行之和写成与一行 1 的乘积，即 $\\mathbf{1}^{\\top}$；求和不在乎顺序，$\\mathbf{1}^{\\top} P = \\mathbf{1}^{\\top}$，于是",
          "$$\\frac{1}{n}\\,\\mathbf{1}^{\\top} f(P X) = \\frac{1}{n}\\,\\mathbf{1}^{\\top} f(X)$$",
          "池化后的向量（图中每一组的最后一行）是<em>置换不变</em>的。“狗咬人”和“人咬狗”得到同一个向量，后面再接多少层，也分不出它们了。",
        ],
      },
      {
        title: "把句子倒过来，ALiBi 为什么看不出？",
        paragraphs: [
          "“狗咬人”整个倒过来就是“人咬狗”，任何两个词的距离都没有变。ALiBi 知道多远，不知道朝哪边；实际使用时，方向由因果掩码给出，它把后面的词遮住。",
        ],
      },
    ],
    figure: {
      title: "拖动词语，看注意力的输出变不变",
      shows:
        "一个可以换词序的句子。每个词有两条色带，分别是它在原句里和在新词序里的注意力输出，旁边是两者的最大差值；一边不加位置，一边加上位置编码。",
      caption:
        "词向量是造出来的：64 个数，一部分为所有的词共有，一部分由词的字母或汉字决定。同一个词的向量总是相同，它同时用作查询、键和值。色带画的是前 32 个数，右边的数是上下两条之间的最大差值。“平均”一行是所有词的输出的平均。",
      sentence: "你的句子",
      examples: "例句",
      sentences: ["狗咬人", "人咬狗", "我爱你", "猫 追 老鼠", "the dog bites the man", "the cat sat on the mat"],
      words: "按顺序排列的词",
      help: "把一个词拖到另一个词上，或者先点一个、再点另一个。方向键可以移动获得焦点的词。",
      swapEnds: "交换“{first}”和“{second}”",
      back: "恢复原来的顺序",
      tooFew: "请至少输入两个词。",
      none: "不加位置",
      with: "加上位置",
      method: "位置编码",
      methods: { sinusoidal: "正弦编码", rope: "RoPE", alibi: "ALiBi" },
      pooled: "平均",
      strip: "“{word}”的输出：{difference}",
      before: "原句",
      now: "你的词序",
      untouched: "换一换词序，就能比较。",
      same: "不变",
      allSame: "{count} 个输出都和原来一样。最大差值：{largest}",
      changed: "{count} 个输出中有 {changed} 个变了。最大差值：{largest}",
      word: "词",
      difference: "差值（{method}）",
    },
  },
  model: modelZhCN,
  needs: {
    heading: "位置信号应该做到什么",
    paragraphs: [
      "所以，得有东西把顺序告诉注意力。<em>编码</em>就是一条规则，给每个位置 $m$ 一个信号，最简单的，是加到词上的一个向量。信号好不好，要看五个问题：",
      "<strong>唯一</strong>：不同的位置，信号不同吗？<strong>有界</strong>：文本再长，数值也不会变大吗？<strong>相对</strong>：走一步在哪里都是同样的一步，两步又比一步远吗？<strong>更长</strong>：超出原定的长度，信号还有吗，前面的位置还是原来的样子吗？<strong>学习</strong>：它是从数据里学来的，还是由规则给定的？两样都不算错。",
      "每个答案都是当场算出来的：先看前 $n$ 个位置，再看四倍长的文本。",
    ],
    why: [
      {
        title: "打了勾，不等于什么？",
        paragraphs: [
          "“更长”一栏打了勾，只说明信号存在，不说明用短文本训练的模型会用它。这叫长度外推，是第 10 章的事。",
          "可学习的表，这里给出的是训练之前的随机数。训练能给它理出一些秩序，但表里没有的行，训练也补不出来。",
          "ALiBi 没有界，这是有意的：词越远，扣的分越多，直到不起作用。",
        ],
      },
    ],
    figure: {
      title: "九种编码，五个问题",
      shows: "一张表：九种位置编码在五项性质上各得到勾或叉，以及所选编码的实测数字。",
      length: "长度 n",
      encoding: "编码",
      checks: { unique: "唯一", bounded: "有界", relative: "相对", longer: "更长", learned: "学习" },
      yes: "是",
      no: "否",
      kinds: {
        "one-hot": "独热",
        integer: "整数",
        normalized: "归一化",
        binary: "二进制",
        periodic: "周期",
        sinusoidal: "正弦编码",
        learned: "可学习的表",
        rope: "RoPE",
        alibi: "ALiBi",
      },
      notes: {
        learned: "这里是训练之前的表，全是随机数。",
        rope: "RoPE 没有位置向量。这里把一个全是 1 的向量转到各个位置，再比较转出来的结果。",
        alibi: "ALiBi 没有位置向量。这里的“位置”指距离，向量由 8 个头的偏置组成。",
      },
      chapter: "第 {number} 章：{title}",
      details: "{kind}：背后的数字",
      choose: "查看{kind}的数字",
      unique: {
        yes: "{count} 个位置里最相像的两个是 {first} 和 {second}，相距 {distance}。",
        no: "位置 {first} 和 {second} 得到同一个向量。",
      },
      bounded: {
        yes: "绝对值最大是 {near}，四倍长的文本里也不过 {far}。",
        no: "绝对值最大是 {near}，四倍长的文本里却是 {far}。",
        single: "绝对值最大是 {near}。",
      },
      relative: {
        yes: "无论在哪里，一步都长 {low}，两步长 {two}。",
        uneven: "一步有长有短，从 {low} 到 {high}，要看在哪里走。",
        flat: "一步长 {low}，两步却并不更长：{two}。",
        stretched: "一步长 {low}，在四倍长的文本里却是 {high}。",
      },
      longer: {
        yes: "位置 {far} 也有信号，前 {count} 个位置还是原来的样子。",
        no: "从位置 {count} 起就没有信号了。",
        changed: "位置 {place} 原来是 {before}，在四倍长的文本里变成 {after}。",
      },
      learned: { yes: "要学习 {count} 个数。", no: "固定的规则，不用学习。" },
    },
  },
  thread: {
    heading: "一个答案",
    paragraphs: [
      "<strong>位置就是一排快慢不同的钟：把两个位置的钟逐只对照，看指针的夹角，就知道隔了多远。</strong>今天的大语言模型，大多就是这样标记位置的，这种办法叫 RoPE（第 8 章）。怎样从计数走到钟，下一章就讲。",
    ],
  },
  ...furtherZhCN,
  code: {
    paragraphs: [
      "“the dog bites the man”（狗咬人）的五个词按两种顺序通过注意力。程序打印 dog（狗）的输出变了多少：不加位置时一点不变，用 RoPE 时明显变了，只加因果掩码也变了。",
    ],
  },
  quiz: [
    {
      question: "一个不加位置的 Transformer 编码器分别读“狗咬人”和“人咬狗”。下面哪句话是对的？",
      options: [
        {
          text: "所有的输出都是零。",
          why: "输出是普通的向量，是各个值的平均，只是不随顺序变化。",
        },
        {
          text: "每个词在两句话里的输出都相同。",
          why: "输出排列的顺序换了，但“狗”在两句话里是同一个向量。",
        },
        {
          text: "旁边的词换了，所以输出略有不同。",
          why: "没有位置就没有“旁边”。每个词看到的都是同一袋词，紧挨着的并不比最远的看得更清楚。",
        },
      ],
      answer: 1,
    },
    {
      question: "有了因果掩码，一个词只看得见它前面的词。为什么这会漏出一点顺序？",
      options: [
        {
          text: "它改变了词向量。",
          why: "词向量没有变，掩码只是把一些键遮住了。",
        },
        {
          text: "它让权重加起来小于 1。",
          why: "softmax 只在看得见的键上进行，每一行的权重加起来还是 1。",
        },
        {
          text: "一个词看得见多少词，取决于它站在哪里。",
          why: "一个词挪到前面，看得见的词就变少了：掩码不会跟着词换顺序。",
        },
      ],
      answer: 2,
    },
    {
      question: "英文句子“the dog bites the man”通过不加位置的注意力，两个 the 的输出有什么关系？",
      options: [
        {
          text: "完全相同。",
          why: "同一个词有同样的查询，看到的键和值也一样。只有位置才能把它们分开。",
        },
        {
          text: "不同，因为一个在 dog 前面，一个在 man 前面。",
          why: "在这里“前面”没有意义，两个 the 看 dog、bites 和 man 的方式完全一样。",
        },
        {
          text: "第二个弱一些，因为它在后面。",
          why: "在这里“后面”也没有意义。",
        },
      ],
      answer: 0,
    },
  ],
  sources: [
    {
      cite: "Vaswani 等，Attention Is All You Need，2017，第 3.1、3.2 和 3.5 节",
      url: "https://arxiv.org/abs/1706.03762",
      note: "注意力的定义，以及没有循环和卷积的模型为什么需要位置。",
    },
    {
      cite: "Zaheer 等，Deep Sets，2017",
      url: "https://arxiv.org/abs/1703.06114",
      note: "集合上的函数：置换不变与置换等变。",
    },
    {
      cite: "Yun 等，Are Transformers universal approximators of sequence-to-sequence functions?，2020",
      url: "https://arxiv.org/abs/1912.10077",
      note: "不加位置的 Transformer 是置换等变的；加上位置，就能逼近紧集上的任意连续的序列到序列函数。",
    },
    {
      cite: "Haviv 等，Transformer Language Models without Positional Encodings Still Learn Positional Information，2022",
      url: "https://arxiv.org/abs/2203.16634",
      note: "这样的模型照样知道位置；作者推测，因果掩码让它能推断出前面有多少个词。",
    },
    {
      cite: "Kazemnejad 等，The Impact of Positional Encoding on Length Generalization in Transformers，2023，定理 1 和 2",
      url: "https://arxiv.org/abs/2305.19466",
      note: "不加位置编码的因果模型怎样恢复位置和距离。",
    },
    {
      cite: "Bahdanau、Cho、Bengio，Neural Machine Translation by Jointly Learning to Align and Translate，2015",
      url: "https://arxiv.org/abs/1409.0473",
      note: "注意力的由来：不必再把整个句子压进一个长度固定的向量。",
    },
    {
      cite: "Hugging Face Transformers，T5：T5LayerCrossAttention 类",
      url: "https://github.com/huggingface/transformers/blob/main/src/transformers/models/t5/modeling_t5.py",
      note: "交叉注意力里没有距离偏置。",
    },
    {
      cite: "Dufter、Schmitt、Schütze，Position Information in Transformers: An Overview，2022",
      url: "https://arxiv.org/abs/2102.11090",
    },
    {
      cite: "Fleetwood，You could have designed state of the art positional encoding，2024",
      url: "https://huggingface.co/blog/designing-positional-encoding",
      note: "列出理想的性质，一步步走到 RoPE。",
    },
  ],
};

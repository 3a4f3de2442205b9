// 第 1 章，顺序为什么重要：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";
import { modelZhCN } from "./text.model-zh-CN.ts";

export const zhCN: typeof en = {
  question: "“猫追老鼠”和“老鼠追猫”用的是同样几个词。Transformer <strong>看得出</strong>区别吗？",
  idea: [
    "先用三句话说清注意力。每个词发出一个<em>查询</em> $q$，说明自己在找什么；又带着一个<em>键</em> $k$，说明自己能提供什么，和一个<em>值</em> $v$，也就是要交出去的内容。点积 $q \\cdot k$ 衡量查询和键合不合拍，softmax 把一个查询的全部得分变成加起来等于 1 的权重。词的输出，就是所有的值按这些权重求出的平均。",
    "现在到这三句话里找一找词的<em>位置</em>：没有。查询、键和值都只由词本身得来，而求平均时先加谁后加谁都一样。所以一个词无论站在哪里，输出都相同：在注意力眼里，句子只是一袋词。",
    "这一章里，你可以亲手验证这一点，看明白为什么，找出顺序漏进来的那道缝，最后列一张清单：一个好的位置信号应该做到什么。后面的各章，就是人们给出的种种答案。",
  ],
  words: {
    heading: "拖动词语",
    paragraphs: [
      "下面，每个词的输出画成一条彩色的格子，一格是一个数。上面一条是<span data-link='original'>原句里的输出</span>，下面一条是<span data-link='reordered'>同一个词在你排的顺序里的输出</span>。第一组的注意力不加位置，第二组的加了位置。图里的“猫”和“老鼠”已经换了位置；再换换别的词序，比一比。",
      "第一组里看到的事情，可以写成公式。把句子写成矩阵 $X$，每个词占一行；把换序写成置换矩阵 $P$，于是 $PX$ 还是那些行，只是换了次序。不加位置的注意力是一个函数 $f$，对任何 $P$ 都有",
      "$$\\link{reordered}{f(P X)} = P\\,\\link{original}{f(X)}$$",
      "这样的函数叫作<em>置换等变</em>的：输入换了次序，输出就跟着换同样的次序，除此之外什么也不会发生。Transformer 里的归一化和前馈层都是逐词处理的，所以把许多层叠起来，整个模型仍然是置换等变的。",
      "分类器往往还要再走一步，做池化：把 $n$ 个输出取平均，当作整个句子的向量。这时连次序的变化也不见了。把各行之和写成与一行 1 的乘积，即 $\\mathbf{1}^{\\top}$；求和不在乎次序，$\\mathbf{1}^{\\top} P = \\mathbf{1}^{\\top}$，于是",
      "$$\\frac{1}{n}\\,\\mathbf{1}^{\\top} f(P X) = \\frac{1}{n}\\,\\mathbf{1}^{\\top} f(X)$$",
      "池化后的向量是<em>置换不变</em>的。“猫追老鼠”和“老鼠追猫”得到同一个向量，后面再接多少层，也分不出它们了。",
    ],
    points: [
      "<em>不加位置</em>时，每个词的上下两条都一样。剩下的一点点差别只有千万分之几，那是舍入误差：同样的数，换了个顺序相加。",
      "英文例句“the dog bites the man”里有<em>两个 the</em>，一个属于狗，一个属于人，它们的输出却完全相同。加上位置，就分开了。",
      "<em>加上位置</em>以后，连没有挪动的词也会变，因为它周围的词换了位置。",
      "<em>ALiBi</em> 有一处看不见：把句子整个倒过来，比如“猫追老鼠”变成“老鼠追猫”，任何两个词的距离都没有变。ALiBi 知道多远，不知道朝哪边；实际使用时，方向由因果掩码给出。",
    ],
    figure: {
      title: "逐词看注意力的输出",
      shows:
        "一个可以换词序的句子。每个词有两条色带，分别是它在原句里和在新词序里的注意力输出，旁边是两者的最大差值；一边不加位置，一边加上位置编码。",
      caption:
        "词向量是造出来的：64 个数，一部分为所有的词共有，一部分由词的字母或汉字决定。同一个词的向量总是相同，它同时用作查询、键和值。色带画的是前 32 个数。",
      sentence: "你的句子",
      examples: "例句",
      sentences: ["猫 追 老鼠", "我爱你", "狗咬人", "人咬狗", "the dog bites the man", "the cat sat on the mat"],
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
  matrix: {
    heading: "权重跟着词走",
    paragraphs: [
      "为什么一定如此？换序以后，查询是 $PQ$，键是 $PK$，值是 $PV$。得分是 $PQ\\,(PK)^{\\top} = P\\,QK^{\\top} P^{\\top}$：还是原来那些数，只是行和列换成了同样的次序。softmax 逐行进行，不在乎一行之内的次序，所以权重也是如此：$A$ 变成 $\\link{moved}{P A P^{\\top}}$。再乘上值，用上 $P^{\\top} P = I$，$P$ 就到了最外面：",
      "$$\\link{computed}{f(PX)} = \\link{moved}{\\bigl(P A P^{\\top}\\bigr)}\\,(P V) = P\\,(A V)$$",
      "下图用数字把这件事做一遍。第一个矩阵是原句的权重。第二个<span data-link='moved'>还是这个矩阵，只把行和列挪成新的次序</span>，什么也没有算。第三个是为新句子<span data-link='computed'>重新算出的权重</span>。",
    ],
    points: [
      "<em>指着任何一个矩阵的一格</em>：三个矩阵里，同一对词会一起亮起来。不加位置时，三处的权重都相同。",
      "<em>给词加上位置</em>，第三个矩阵就不再是第二个：得分现在与谁站在哪里有关。",
      "不加位置，<em>打开因果掩码</em>：权重居然也变了。前面说的那道缝，就在这里。",
    ],
    figure: {
      title: "注意力权重：挪动的与重算的",
      shows: "三个注意力权重矩阵：原句的，把行和列换了次序的，以及为换序后的句子重新计算的；还有后两者的最大差值。",
      words: "按顺序排列的词",
      help: "句子和上图相同。把一个词拖到另一个词上，或者用方向键。",
      reverse: "把句子倒过来",
      back: "恢复原来的顺序",
      tooFew: "请在上图里至少输入两个词。",
      method: "位置",
      methods: { none: "不加", sinusoidal: "正弦编码", rope: "RoPE" },
      causal: "因果掩码（不看后文）",
      original: "原句",
      moved: "挪动",
      computed: "重新计算",
      read: "{query} → {key}：{weight}",
      hint: "指着一格看，或者用方向键移动方框。",
      matrixLabel: "{title}：每行是一个查询，每列是一个键",
      same: "挪动的和重算的相同。最大差值：{largest}",
      different: "挪动的和重算的不同。最大差值：{largest}",
      untouched: "现在还是原来的词序。挪动一个词试试。",
      query: "查询",
      key: "键",
      exact: "恰好为 0",
    },
  },
  leak: {
    heading: "掩码漏出的顺序",
    paragraphs: [
      "逐词生成文本的模型要用<em>因果掩码</em>：每个词只看得见自己和前面的词，看不见后面的。掩码属于位置，不属于词。词换了次序，掩码却留在原处，所以不必有任何位置编码，$f(PX) = P\\,f(X)$ 就已经不成立了。",
      "一个词能从中知道多少？放一个起始词，后面全是同一个词，一遍又一遍，并且让所有的键都同样合拍。这时每个词把注意力平均分给自己看得见的词。从 0 数起，<span data-link='place'>位置</span> $m$ 上的词分给<span data-link='share'>起始词</span>的权重是",
      "$$\\link{share}{w_m} = \\frac{1}{\\link{place}{m} + 1}$$",
      "下一层由此就能读出位置：$m = 1 / w_m - 1$。没有掩码时，每个词都分给起始词 $1/n$，什么也读不出来。",
      "训练时完全不加位置编码的语言模型，确实能学到词的位置，一般认为靠的就是这样的线索（论文里把这样的模型叫作 NoPos 或 NoPE，见文末的出处）。不过信号会越来越弱：从位置 1000 到 1001，权重只变了百万分之一。大模型几乎都另加位置编码，后面各章讲的就是怎么加。",
    ],
    points: [
      "<em>有掩码</em>时，权重矩阵的每一行都比上一行长一点，起始词分到的权重逐个位置下降。（颜色到 0.5 为止，所以第一行的 1 看上去和第二行的 0.5 一样。）",
      "<em>没有掩码</em>时，各行完全一样，线是平的：每个位置看起来都相同。",
    ],
    figure: {
      title: "看得见多少，透露了什么",
      shows:
        "左边是一个起始词加上许多个相同的词的注意力权重，可以打开或关闭因果掩码。右边是各个位置分给起始词的权重：有掩码时是 1/(m+1)，没有掩码时是一条平线。",
      count: "词数 n",
      causal: "因果掩码",
      weights: "全部权重",
      weightsLabel: "注意力权重：每行是一个在看的位置，每列是一个被看的位置",
      looking: "在看的位置",
      seen: "被看的位置",
      readWeights: "位置 {row} 分给位置 {column} 的权重：{weight}",
      share: "分给起始词的权重",
      shareLabel: "各个位置分给起始词的权重",
      masked: "有掩码",
      open: "没有掩码",
      place: "位置 m",
      weight: "权重",
      readShare: "位置 {place}：有掩码 {masked}，没有掩码 {open}",
      guessMasked:
        "只看得见 {weight} 的一层可以算出：1\u00A0/\u00A0{weight}\u00A0−\u00A01\u00A0=\u00A0{guess}。这里是位置 {place}。",
      guessOpen: "只看得见 {weight} 的一层无从分辨：全部 {count} 个位置都一样。",
    },
  },
  needs: {
    heading: "位置信号应该做到什么",
    paragraphs: [
      "要让注意力知道顺序，就得有东西告诉它。多数编码给每个位置 $m$ 一个向量，加到词上，或者用它来旋转词；也有的直接改动得分。不管用哪种办法，信号好不好，要看五个问题：",
      "<strong>唯一</strong>：不同的位置，信号不同吗？",
      "<strong>有界</strong>：文本再长，数值也不会变大吗？",
      "<strong>相对</strong>：在任何地方走一步都是同样的一步，两步又比一步远，让人读得出距离吗？",
      "<strong>更长</strong>：超出模型原定的长度，信号还有吗？前面的位置还是原来的样子吗？",
      "<strong>学习还是固定</strong>：它要从数据里学出来，还是由规则给定？两样都不算错：规则不花代价，也可以没有尽头；学出来的表更贴合任务。",
      "下表拿这五个问题去问九种编码。每个答案都是当场算出来的：先看前 $n$ 个位置，再看四倍长的文本。选一行，就能看到背后的数字。",
    ],
    points: [
      "各种形式的<em>计数</em>，总有一处过不了关。下一章细看它们错在哪里，又为什么都指向波。",
      "<em>学出来的表</em>，这里给出的是训练之前的随机数。训练能给它理出一些秩序，但表里没有的行，训练也补不出来。",
      "<em>ALiBi</em> 没有界，这是有意的：词越远，扣的分越多，直到不起作用。",
      "“更长”这一栏打了勾，只说明<em>信号存在</em>，不说明用短文本训练的模型会用它。那是第 10 章的事。",
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
        learned: "可学习",
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
  model: modelZhCN,
  code: {
    paragraphs: [
      "“the dog bites the man”的五个词按两种次序通过注意力。程序打印 dog 的输出变了多少：不加位置时一点不变，用 RoPE 时明显变了，只加因果掩码也变了。",
    ],
  },
  quiz: [
    {
      question: "一个不加位置的 Transformer 编码器分别读“猫追老鼠”和“老鼠追猫”。下面哪句话是对的？",
      options: [
        {
          text: "所有的输出都是零。",
          why: "输出是普通的向量，是各个值的平均，只是不随次序变化。",
        },
        {
          text: "每个词在两句话里的输出都相同。",
          why: "$f(PX) = P f(X)$。输出排列的次序换了，但“猫”在两句话里是同一个向量。",
        },
        {
          text: "旁边的词换了，所以输出略有不同。",
          why: "没有位置就没有“旁边”。每个词看到的都是同一袋词，紧挨着的并不比最远的看得更清楚。",
        },
      ],
      answer: 1,
    },
    {
      question: "因果掩码为什么会破坏置换等变性？",
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
          text: "遮住哪些键由位置决定，掩码不会跟着词换次序。",
          why: "一个词挪到前面，看得见的词就变少了。",
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
      cite: "Vaswani 等，Attention Is All You Need，2017，第 3.2 和 3.5 节",
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

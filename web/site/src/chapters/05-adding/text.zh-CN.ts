// 为什么用加法？：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";

export const zhCN: typeof en = {
  question:
    "词的向量说的是词义，位置的向量说的是站在哪里，而 Transformer 直接把<strong>两者相加</strong>：加完之后，还分得开吗？",
  idea: [
    "这里只看了相加的结果，拿它和 64 个词、64 个位置逐一做点积，注意力也是这样比较的。结果，正确的词和正确的位置都凸显出来。",
    "所以，只要<em>空间够大</em>（有几百维），两者又<em>大小相配</em>，加法就不会毁掉词义；余下的一点干扰，由<em>训练</em>去化解。真实模型里的和怎样拆，见<a href='./why.html'>这篇文章</a>。",
  ],
  unmix: {
    heading: "谁太小，谁就被淹没",
    paragraphs: [
      "光看 7，谁也说不出它是 3 + 4 还是 5 + 2。但一个向量有许多个数，而词只有那么多，位置也只有那么多，完全可以逐个拿来，同相加的结果比一比。",
    ],
    points: [
      "<em>维度少时</em>，先丢的是位置：相邻的位置长得像，词的那些数会把峰顶推到旁边。",
      "<em>把“词向量各数的大小”调到 10</em>，位置几乎都找不到了；<em>调到 0.1</em>，大约一半的词就找不到了。在两者之间，256 维时大约 0.3 的地方，词和位置次次都找得到。",
    ],
    why: [
      {
        title: "论文为什么要把词向量乘以 $\\sqrt d$？",
        paragraphs: [
          "多半是为了尺度，论文自己没有说。正弦位置各分量的均方恒为 $\\tfrac12$；而论文所用的代码库 <a href='https://github.com/tensorflow/tensor2tensor/blob/master/tensor2tensor/layers/modalities.py'>Tensor2Tensor</a> 初始化词向量时，标准差取 $1/\\sqrt{d}$。不乘这个系数，词一开始就比位置短得多。",
        ],
      },
    ],
    figure: {
      title: "加完之后，还分得开吗？",
      shows:
        "词的向量、位置的向量和两者之和各画成一行色块；两条曲线是这个和与 64 个词、与 64 个位置的点积；下面是全部 4096 种组合中有多少拆得对。",
      dim: "维度数 d",
      wordScale: "词向量各数的大小",
      word: "词",
      position: "位置",
      words: "和各个词比",
      positions: "和各个位置比",
      match: "匹配程度",
      foundWord: "最像的词：{found}（{verdict}）",
      foundPosition: "最像的位置：{found}（{verdict}）",
      right: "对",
      wrong: "错",
      sum: "两者之和",
      firstNumbers: "{dim} 个数里的 {count} 个",
      vocabulary:
        "狗 猫 狐狸 乌鸦 鱼 鸟 马 羊 狼 熊 老鼠 蛇 树 叶子 玫瑰 草 河 海 雨 雪 风 太阳 月亮 星星 石头 沙子 金 铁 房子 门 屋顶 路 桥 船 国王 王后 孩子 朋友 面包师 铁匠 面包 牛奶 盐 苹果 酒 奶酪 刀 锅 书 歌 词 名字 红 蓝 绿 旧 新 长 跑 唱 睡 看 给 拿",
      rate: "全部 4096 种组合中",
      rateWord: "词找对的占",
      ratePosition: "位置找对的占",
      rateNear: "位置相差不超过 1 的占",
      wordAxis: "词",
      positionAxis: "位置",
      number: "编号",
      readWord: "词 {at}：{value}",
      readPosition: "位置 {at}：{value}",
    },
  },
  cosines: {
    heading: "高维空间里很宽敞",
    paragraphs: [
      "在纸上随手画两个箭头，夹角多大都有可能。每多一维，两个箭头就更难相像，因为它们得处处一致；到了几百维，随手取的两个，几乎都接近垂直。而垂直向量的点积是 0，谁也不打扰谁。图中每根柱子都是实际数出来的：200 个随机的词和 50 个位置，两两配对。",
    ],
    predict: {
      question: "512 个随机数组成的向量，100 对里有 95 对与直角相差不超过多少度？",
      options: ["大约 45°", "大约 20°", "大约 5°"],
      answer: 2,
      reveal: "把 $d$ 调到 512，看柱子下面的角度。只有 4 维时，几乎什么角度都有。",
    },
    points: [
      "<em>直方图</em>的宽度与 $\\sqrt d$ 成反比：维度变成四倍，宽度减半。",
      "<em>位置和位置</em>却很相像，离得近的尤其如此。正因为这样，它们才成了一把尺子。",
    ],
    why: [
      {
        title: "直方图到底有多宽？",
        paragraphs: [
          "夹角的余弦散布在零的两侧，标准差是",
          "$$\\sqrt{\\mathrm{E}\\left[\\cos^2\\right]} = \\frac{1}{\\sqrt{d}}$$",
          "只要其中一个的方向是完全随机的，这个式子就精确成立；另一个可以任意取，比如一个正弦位置。",
        ],
      },
      {
        title: "训练好的词向量也是随机的吗？",
        paragraphs: [
          "不是。它们有共同的部分和几个特别强的方向（Mu 等，2017）。这幅图是模型的起点，说明它有地方把两者分开，却不能证明它真的分开了。",
        ],
      },
    ],
    figure: {
      title: "它们有多垂直？",
      shows: "向量之间余弦的直方图，在正负根号 d 分之一处有标记。",
      dim: "维度数 d",
      what: "余弦取自",
      wordPosition: "词和位置",
      wordWord: "词和词",
      positionPosition: "位置和位置",
      cosine: "夹角的余弦",
      count: "个数",
      measured: "实测标准差",
      theory: "1/√d",
      angles: "95% 的夹角在",
      range: "{low}° 到 {high}°",
      pairs: "{count} 对",
      read: "余弦在 {low} 到 {high} 之间：{count}",
    },
  },
  concat: {
    heading: "那么并排放呢？",
    paragraphs: [
      "把两个向量首尾相接（<em>拼接</em>），词和位置就各有各的数。可是接下来，为了得到查询和键，要乘一个矩阵；而矩阵乘以接起来的两个向量，就是它的一半乘词，另一半乘位置，再相加。设词为 $x$，位置为 $e$：",
      "$$\\begin{bmatrix} \\link{wordblock}{W} & \\link{placeblock}{V} \\end{bmatrix} \\begin{bmatrix} x \\\\ e \\end{bmatrix} = \\link{wordblock}{W}x + \\link{placeblock}{V}e$$",
      "取 $V = W$，它就是 $W(x + e)$：加法就是两边共用<em>一套</em>权重的拼接。反过来，$V$ 不等于 $W$ 时，位置有自己的权重，模型能做的更多；代价是权重变多，要是一直叠着不合并，每一层的向量都要变宽。",
    ],
    points: [
      "<em>权重相同</em>：两幅图里的分数（也就是注意力所用的点积）每个数都一致。",
      "<em>权重各异</em>：得到的分数，是用这个 $W$ 做加法得不到的。",
      "<em>完全分开</em>：拿来比较的向量，一半由词算出，一半由位置算出，词和位置从不相遇。加法也学得会这一招，只要训练把词和位置安顿到不同的维度里，而且不多花一个参数。",
    ],
    why: [
      {
        title: "词向量本身也是这样来的吗？",
        paragraphs: [
          "是的。设 $o_a$ 只在这个词的编号处为 1，其余全是 0（<em>one-hot</em>，独热向量），$o_m$ 是位置的独热向量。矩阵乘以独热向量，得到的就是它的某一列，也就是查表；所谓<em>嵌入</em>（embedding）就是这么回事。把两个独热向量拼接起来，乘以一个矩阵：",
          "$$\\begin{bmatrix} W & V \\end{bmatrix} \\begin{bmatrix} o_a \\\\ o_m \\end{bmatrix} = W o_a + V o_m = x_a + e_m$$",
          "词加位置，本来<em>就是</em>拼接，只不过拼接的是独热向量。用可学习的位置表时，$W$ 和 $V$ 都要训练；用正弦编码时，$V$ 由公式填好，不再改动。",
        ],
      },
      {
        title: "变宽要付多大代价？",
        paragraphs: [
          "一层的参数量约为宽度平方的 12 倍：注意力占 4 倍，后面的两个矩阵占 8 倍（Kaplan 等，2020，表 1）。宽度加倍，参数量就变成四倍。",
        ],
      },
    ],
    figure: {
      title: "相加与拼接",
      guide: "softmax 之前的分数：每行是一个查询，每列是一个键。暖色大于 0，蓝色小于 0。",
      shows: "同一个句子的两个注意力分数矩阵，一个用相加，一个用拼接；以及它们的最大差值和各自需要的权重个数。",
      weights: "位置用的权重",
      same: "相同：V = W",
      own: "各异：V 随机",
      apart: "完全分开",
      dim: "词的宽度 d",
      extra: "位置的宽度 p",
      extraHint: "V = W 时，位置和词一样宽。",
      sum: "相加",
      joined: "拼接",
      label: "{name}位置时的分数：每行一个查询，每列一个键",
      read: "{query} → {key}：相加 {added}，拼接 {joined}",
      word: "词",
      difference: "分数的最大差值",
      cross: "拼接时最大的“词 · 位置”项",
      costs: "代价",
      costName: "数量",
      width: "向量的宽度",
      head: "一个头的查询和键的参数量",
      layer: "一层的参数量：12\u00A0×\u00A0宽度\u2060²",
      times: "{factor} 倍",
      words: ["那只", "猫", "追", "那只", "老鼠"],
    },
  },
  terms: {
    heading: "一个注意力分数，四项",
    paragraphs: [
      "做注意力时，提问的一方要乘以一个学出来的矩阵 $W_q$，得到<em>查询</em>；被问的一方乘以另一个 $W_k$，得到<em>键</em>；两者的点积就是注意力分数。查询由 $x + e$ 算出，即词加位置；键由 $y + f$ 算出。夹在中间的是 $M = W_q^{\\mathsf T} W_k$，即两个矩阵合成的一个。展开得：",
      "$$\\begin{aligned} (x+e)^{\\mathsf T} M\\, (y+f) = {} & \\link{ww}{x^{\\mathsf T} M\\, y} + \\link{wp}{x^{\\mathsf T} M\\, f} \\\\ & {} + \\link{pw}{e^{\\mathsf T} M\\, y} + \\link{pp}{e^{\\mathsf T} M\\, f} \\end{aligned}$$",
      "<span data-link='ww'>这个词想从那个词得到什么？</span><span data-link='wp'>这个词想从那个位置得到什么？</span><span data-link='pw'>这个位置想从那个词得到什么？</span><span data-link='pp'>这个位置想从那个位置得到什么？</span>四个问题，都要由同一个矩阵 $M$ 来回答。",
    ],
    points: [
      "<em>中间是单位矩阵</em>时，“词 · 词”和“位置 · 位置”两项很鲜明，两个交叉项很淡：词和位置几乎垂直。",
      "<em>中间是随机矩阵</em>时，四项都是同一类噪声。矩阵如果把一个向量转向另一个，原来再垂直也没有用。什么都还没学的模型就是这个样子。",
      "注意力同时做好几种比较，每一种叫一个头，而<em>一个头可以挑着看。</em>这个句子的各个位置，只占 64 维里的几维。把这几维扔掉的矩阵只看得见词，其余三项消失；只留下这几维的矩阵只看得见位置，外加词的一点痕迹。两种矩阵，线性层都学得会。",
      "<em>不乘</em> $\\sqrt d$，位置那一项就把词那一项淹没了。",
    ],
    why: [
      {
        title: "关于两个位置，模型究竟能知道什么？用泰勒展开看",
        paragraphs: [
          "任取一个光滑函数 $F$，自变量是两个词 $x$ 和 $y$，再各加上位置 $e$ 和 $f$，展开到二阶：",
          "$$\\begin{aligned} F(x + e,\\; y + f) \\approx {} & F(x, y) + \\frac{\\partial F}{\\partial x}\\, e + \\frac{\\partial F}{\\partial y}\\, f \\\\ & {} + \\tfrac12\\, e^{\\mathsf T} \\frac{\\partial^2 F}{\\partial x^2}\\, e + \\tfrac12\\, f^{\\mathsf T} \\frac{\\partial^2 F}{\\partial y^2}\\, f \\\\ & {} + e^{\\mathsf T} \\frac{\\partial^2 F}{\\partial x\\, \\partial y}\\, f \\end{aligned}$$",
          "第一、二两行里，每一项只含一个位置。只有最后的交叉项同时含有两个，所以距离最早只能从这里看出来：它应当是 $m - n$ 的函数。如果中间的矩阵是单位矩阵，它就是两个位置的点积，旋转给出的正是这样的点积（第 4 章）。在注意力分数里，这一项是精确的，就是“位置 · 位置”。这个论证出自苏剑林（2021）。它把位置当作很小的改动，而与词相比，位置其实并不小；它指出该往哪里看，并不证明训练好的模型就是如此。",
        ],
      },
    ],
    figure: {
      title: "四项，现场计算",
      shows: "四个词对词的矩阵，各是注意力分数的一项，第五个是它们的和；条形表示每一项平均有多大。",
      sentence: "你的句子",
      examples: "例句",
      sentences: ["那只 猫 追 那只 老鼠", "猫 追 老鼠", "我 喜欢 你", "the dog bites the man"],
      empty: "请输入一个句子，至少有一个汉字或字母。",
      wordScale: "词向量各数的大小",
      positionScale: "位置乘以",
      between: "查询和键之间的 M",
      identity: "单位矩阵",
      random: "随机",
      words: "只看词",
      positions: "只看位置",
      raw: "初始值：1/√d",
      scaled: "乘以 √d：1",
      names: {
        contentContent: "词 · 词",
        contentPosition: "词 · 位置",
        positionContent: "位置 · 词",
        positionPosition: "位置 · 位置",
        score: "分数",
      },
      label: "{name}：每行一个查询，每列一个键",
      read: "{query} → {key}：{words} + {wordPosition} + {positionWord} + {positions} ≈ {score}",
      share: "平均大小",
      help: "在五幅图中的任何一幅里悬停、点按，或用方向键移动。",
      check: "四项之和与“词加位置”的分数的最大差值：",
      word: "词",
    },
  },
  size: {
    heading: "把四项解开",
    paragraphs: [
      "<strong>TUPE</strong>（2020）发现训练好的 BERT 里，两个交叉项在各个位置上几乎一样，说明不了什么，就去掉了它们：词和词比，位置和位置比，各用各的矩阵，再把两个结果相加。<strong>DeBERTa</strong>（2020）保留交叉项，但位置有自己的矩阵，并且改成相对位置；省掉的反而是位置对位置那一项。两者都报告说，结果好过各自的基线模型。<strong>RoPE</strong> 干脆什么也不加，只转动查询和键。",
      "所以加法不是天经地义。它的好处是便宜：向量不变宽，在输入处写一行代码就行，用正弦编码时连新参数也没有。最早的 Transformer、BERT、GPT‑2 和 GPT‑3 用的都是加法。",
    ],
  },
  dropout: {
    heading: "对相加的结果做随机失活",
    paragraphs: [
      "训练时，论文对词与位置之和做随机失活（dropout），基础模型的比率为 0.1：每个数以概率 $p$ 变成 0，其余的除以 $1 - p$。平均下来，什么也没变：",
      "$$\\mathrm{E}\\left[\\link{drop}{\\mathrm{drop}(z)}\\right] = p \\cdot 0 + (1-p) \\cdot \\frac{z}{1-p} = z$$",
      "这样，模型就学会不去依赖词或位置里的任何单个数；到了真正使用模型的时候，就把随机失活关掉。有了种子，结果可以重现：同一个种子在任何机器上丢掉的都是同样的数。",
    ],
    points: [
      "<em>每个种子</em>打的孔都不同。剩下的数比原来略强一点：那是除法的结果。",
      "<em>多抽几次取平均</em>，孔就填上了。曲线渐渐落到没有随机失活的那一条上，误差与次数的平方根成反比。",
      "<em>关掉训练</em>：不管比率多大，得到的就是相加的结果本身。",
    ],
    figure: {
      title: "平均起来就填平的孔",
      shows: "词加位置在随机失活之后、若干次取平均的热力图，以及其中一行有无随机失活的曲线。",
      rate: "比率 p",
      seed: "第一个种子",
      draws: "取平均的次数",
      training: "训练中",
      map: "随机失活之后的“词加位置”",
      row: "第 {row} 行",
      rowLabel: "第 {row} 行的各个数，有无随机失活",
      plain: "x + PE",
      dropped: "随机失活之后",
      value: "值",
      dimension: "维度",
      position: "位置",
      read: "位置 {row}，维度 {column}：{value}，原来是 {plain}",
      zeros: "最后一次抽样里的零",
      factor: "其余的数乘以",
      error: "与 x + PE 的平均距离",
    },
  },
  code: {
    paragraphs: [
      "<code>scoreTerms</code> 给出四项；<code>addTo</code> 就地加上位置，需要时带随机失活；<code>concatTo</code> 造出更宽的张量。<code>learned</code> 表的初始值在这里充当随机的词和矩阵。",
    ],
  },
  quiz: [
    {
      question:
        "在 400 维里，一个词向量和一个位置向量的长度都是 20，彼此毫不相干。它们的点积一般有多大？（可以看“直方图到底有多宽？”）",
      options: [
        { text: "大约 400", why: "那是 $20 \\cdot 20$，是两个平行向量的点积。" },
        { text: "大约 20", why: "$20 \\cdot 20 / \\sqrt{400} = 20$，是平行时的二十分之一。" },
        { text: "恰好是 0", why: "几乎垂直不等于垂直。只有特意造成那样的向量，点积才是 0。" },
      ],
      answer: 1,
    },
    {
      question: "什么时候拼接和相加的分数相同？",
      options: [
        { text: "总是相同", why: "位置有了自己的权重，就能得到加法得不到的分数。" },
        { text: "矩阵对待位置部分和对待词的部分一样的时候", why: "$Wx + We = W(x + e)$。" },
        { text: "从不相同，因为向量宽度不同", why: "向量宽度不同，算出来的查询和键却一样宽。" },
      ],
      answer: 1,
    },
    {
      question: "词向量的各个数，比加上去的位置的数小得多。会怎么样？",
      options: [
        {
          text: "一开始，相加的结果里主要是位置",
          why: "谁太小，谁就被淹没。把词放大，两者就相当了：论文把词乘以 $\\sqrt d$。",
        },
        { text: "相加的结果里主要是词", why: "正相反，词的各个数更小。" },
        {
          text: "没有影响，模型想怎么缩放就怎么缩放",
          why: "最后也许学得会，可是一开始，词在相加的结果里几乎不起作用。",
        },
      ],
      answer: 0,
    },
  ],
  sources: [
    {
      cite: "Vaswani 等，Attention Is All You Need，2017，第\u00A03.4、3.5、5.4\u00A0节",
      url: "https://arxiv.org/abs/1706.03762",
      note: "词向量乘以 √d（3.4），加上位置（3.5），对相加的结果做随机失活，基础模型的比率为 0.1（5.4）。",
    },
    {
      cite: "Ke、He、Liu，Rethinking Positional Encoding in Language Pre-training (TUPE)，2020，第\u00A03.1\u00A0节",
      url: "https://arxiv.org/abs/2006.15595",
      note: "四项从哪里来，为什么要解开。",
    },
    {
      cite: "He、Liu、Gao、Chen，DeBERTa: Decoding-enhanced BERT with Disentangled Attention，2020，第\u00A03.1\u00A0节",
      url: "https://arxiv.org/abs/2006.03654",
      note: "只取其中三项，位置改成相对位置，并有自己的矩阵。",
    },
    {
      cite: "Mu、Bhat、Viswanath，All-but-the-Top: Simple and Effective Postprocessing for Word Representations，2017",
      url: "https://arxiv.org/abs/1702.01417",
      note: "训练好的词向量有一个共同的向量和几个主导方向。",
    },
    {
      cite: "Vershynin，High-Dimensional Probability，2018，第\u00A03.2\u00A0节",
      url: "https://www.math.uci.edu/~rvershyn/papers/HDP-book/HDP-book.html",
      note: "高维空间中相互独立的向量几乎正交。",
    },
    {
      cite: "Kaplan 等，Scaling Laws for Neural Language Models，2020，第 2.1 节，表 1",
      url: "https://arxiv.org/abs/2001.08361",
      note: "每一层的参数量约为宽度平方的 12 倍。",
    },
    {
      cite: "苏剑林，Transformer升级之路：1、Sinusoidal位置编码追根溯源，2021",
      url: "https://kexue.fm/archives/8231",
      note: "泰勒展开的论证。",
    },
    {
      cite: "Devlin 等，BERT，2018，第 3 节，图 2",
      url: "https://arxiv.org/abs/1810.04805",
      note: "输入是词元、片段、位置三种嵌入之和。",
    },
    {
      cite: "Radford 等，GPT-2，2019：model.py",
      url: "https://github.com/openai/gpt-2/blob/master/src/model.py",
      note: "位置是加上去的；GPT-3（Brown 等，2020，第 2.1 节）沿用了这个结构。",
    },
  ],
};

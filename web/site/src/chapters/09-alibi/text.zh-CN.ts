// ALiBi 一章：简体中文。
import type { en } from "./text.en.ts";

export const zhCN: typeof en = {
  question: "如果根本不用钟，注意力只是按<strong>每个键离得多远</strong>来扣分，会怎样？",
  idea: [
    "在 RoPE 里，位置就是一排快慢不同的钟：把两个位置的钟逐只对照，看指针的夹角，就知道隔了多远。ALiBi（<em>带线性偏置的注意力</em>）不用钟。注意力给每个键打分，ALiBi 从分数里扣：隔一步扣一点，隔十步就扣十倍那么多。",
    "模型同时用好几个<em>头</em>看文本，每个头有自己的单价，叫<em>斜率</em>。斜率大的头只看最近几个词，斜率小的头能看几百个：换一个头，看看曲线怎么变。斜率在训练之前就定好了，什么都不用学，也没有会用完的表。",
  ],
  reach: {
    heading: "一个头能看多远",
    paragraphs: [
      "图里所有的键都一样好，所以只有单价说了算。每往回一步，权重都乘上同一个数，就像原子有半衰期一样。8 个头里的最后一个，半衰期约是 177 步，所以一半的权重都在最近的 178 个键上。",
    ],
    points: [
      "<em>拉长文本</em>，几乎什么都没变。训练长度以外，模型从没看过的地方，几乎没有权重。ALiBi 应付长文本的办法，就是不往那里看。",
      "<em>图下面“得高出”后面的数，就是价钱。</em>远处的键也能胜出，但要靠内容补回来：隔一万个词，8 个头里斜率最小的那个也已经扣掉了 39 分。",
      "<em>让最后的斜率减小到</em> $2^{-16}$，就像 MPT‑7B‑StoryWriter 为它的 65 536 个词元所做的那样，最后几个头就能看到全文。看多远可以自己定，但定了就要用它来训练。",
    ],
    why: [
      {
        title: "为什么有半衰期？为什么取对数就是直线？",
        paragraphs: [
          "分数都相等时，softmax 里只剩下偏置。对距离为 $\\delta$ 的键：",
          "$$\\link{weight}{w(\\delta)} \\propto e^{-\\link{slope}{m}\\,\\link{distance}{\\delta}}$$",
          "走 $(\\ln 2)/m$ 步，权重减半；文本足够长时，全部权重的一半就落在这个距离以内。权重取对数，每个头都是一条直线，斜率越大越陡。距离也取对数，各个头的形状都相同，只是错开：8 个头时，每个头看得都比前一个远一倍。",
        ],
      },
    ],
    figure: {
      title: "一个头看到的范围",
      shows: "折线图：每个头的注意力权重随距离的变化，选中的头加粗，标出集中了一半权重的距离，以及训练时的长度。",
      heads: "头数",
      head: "头",
      headValue: "{head}（斜率 {slope}）",
      length: "文本长度（词）",
      trained: "训练长度",
      lowest: "最后的斜率",
      axes: "坐标轴",
      axisChoices: { linear: "线性", weight: "权重取对数", both: "都取对数" },
      distance: "到键的距离",
      distanceFromOne: "到键的步数（从 1 算起）",
      weight: "权重",
      chartLabel: "注意力权重随距离的变化",
      chosen: "第 {head} 个头",
      others: "其他的头",
      halfMark: "一半",
      trainedMark: "训练长度",
      read: "往回 {distance}：权重 {weight}。要和最近的键一样重，词的分数得高出 {price}。",
      half: "一半的权重落在最近的 {count} 个键上",
      most: "99% 落在最近的 {count} 个上",
      behind: "训练长度以外：{share}%",
      whole: "全部 {count}",
      keys: "键数（对数）",
      readReach: "第 {head} 个头：一半的权重在 {count} 个键上",
      reachTitle: "占一半权重的键数",
      reachLabel: "各个头：占一半权重的键的个数",
      table: "各个头在 {length} 个词里看到的范围",
      columns: {
        head: "头",
        slope: "斜率",
        half: "占一半权重的键数",
        most: "占 99% 的键数",
        behind: "训练长度以外，%",
      },
    },
  },
  bias: {
    heading: "每一步都有价钱",
    paragraphs: [
      "查询在位置 $i$，键在位置 $j$。第 $h$ 个头在做 softmax 之前，从分数里减去斜率乘以距离：",
      "$$s_{ij} = \\frac{q_i \\cdot k_j}{\\sqrt{d}} - \\link{slope}{m_h}\\,\\link{distance}{|i-j|}$$",
      "8 个头的斜率是 ½、¼、⅛，依次减半，直到 $2^{-8}$。",
    ],
    predict: {
      question: "去掉因果掩码，让一个词也能看到它后面的词。ALiBi 分得清左右吗？",
      options: ["分得清", "分不清"],
      answer: 1,
      reveal:
        "在图里关掉掩码，左右就对称了：ALiBi 知道键有多远，不知道在哪一边。在语言模型里，方向由掩码给出；Jina Embeddings 2 那样的编码器用的就是这种对称的形式。",
    },
    points: [
      "<em>偏置图里，每条对角线只有一种颜色</em>：起作用的只有距离。",
      "<em>从第一个头换到最后一个头</em>：对角线旁边的权重带越来越宽，到最后几乎一视同仁。",
    ],
    why: [
      {
        title: "头数是 6、12 或 20 时，斜率是多少？",
        paragraphs: [
          "设有 $H$ 个头，$H$ 是 2 的幂，斜率就按同一个比例逐个减小：",
          "$$\\link{slope}{m_h} = 2^{-8h/H}, \\qquad h = 1, \\dots, H$$",
          "头数不是 2 的幂时，作者的代码先取不超过它的最大的 2 的幂所对应的斜率，不够的再从下一个 2 的幂（12 个头时为 16）的斜率里隔一个取一个补上。12 个头就是 8 个头的那 8 个斜率，再加上 $2^{-0.5}$、$2^{-1.5}$、$2^{-2.5}$ 和 $2^{-3.5}$。把头数调到 12 看看。",
        ],
      },
      {
        title: "BLOOM 的偏置看上去完全不同，为什么结果一样？",
        paragraphs: [
          "BLOOM <em>按键来写</em>，每一列的偏置是斜率乘以键的位置。同一行里的每个数都只加上了同一个常数，softmax 看不出来，权重和原来一样。去掉掩码就不成立了：所有的查询都会跑到文本末尾去。",
        ],
      },
    ],
    figure: {
      title: "一个头的偏置，以及由此得到的权重",
      shows:
        "两幅方形热力图：一个头对每个查询和键的偏置，以及分数全都相等时的注意力权重。另有所有头的斜率，用对数刻度。",
      caption:
        "这里的词全都一样：查询和键都是零，所以权重只来自偏置和掩码。权重的颜色按平方根来定：开头几行只有很少的键来分权重，不这样做，其余各行的小权重就看不出来了。",
      heads: "头数 H",
      head: "第 h 个头",
      headValue: "{head}（斜率 {slope}）",
      length: "词数",
      causal: "因果掩码",
      form: "写法",
      forms: { relative: "按距离", "key-absolute": "按键（BLOOM）" },
      query: "查询 i",
      key: "键 j",
      biasTitle: "偏置",
      weightsTitle: "权重",
      hidden: "被遮住",
      biasLabel: "第 {head} 个头对每个查询和键的偏置",
      weightsLabel: "第 {head} 个头在分数相等时的注意力权重",
      readRelative: "查询 {query}，键 {key}：−{slope} × {distance} = {bias}",
      readKey: "查询 {query}，键 {key}：{slope} × {key} = {bias}",
      readHidden: "查询 {query}，键 {key}：在查询之后，被掩码遮住",
      readWeight: "查询 {query}，键 {key}：权重 {weight}",
      slopesTitle: "所有头的斜率",
      slopesLabel: "各个头的斜率，可以选一个",
      slope: "斜率",
      slopeAxis: "斜率（对数）",
      columnHead: "头",
      readSlope: "第 {head} 个头：斜率 {slope}",
      regular: "等比：逐个按同一比例减小",
      extra: "从下一个 2 的幂里补上的",
      table: "第 {head} 个头的偏置",
      tableQuery: "查询 {row}",
      tableKey: "键 {column}",
    },
  },
  limits: {
    heading: "猜得准，不等于记得远",
    paragraphs: [
      "论文题为“短训长测”（Train Short, Test Long）：用短文本训练，拿到长文本上用。它量的是<em>损失</em>，也就是猜下一个词猜得有多差。可是为此真正用上了多少长文本？",
    ],
    predict: {
      question:
        "一个用 ALiBi 的小模型在 256 个字符的文本上训练，现在读 4096 个字符。它还能猜准下一个字符吗？藏在 2000 个字符以前的一个词，它找得到吗？",
      options: ["都可以", "猜得准，但找不到那个词", "都不行"],
      answer: 1,
      reveal:
        "损失到训练长度的 16 倍都是平的。藏起来的词，两倍训练长度时还找得到，八倍时一次也找不到。两样都是实测，见第 10 章的<a href='./long-context.html#v=2&amp;arena.shown=alibi.rope.window&amp;at=arena'>擂台</a>。",
    },
    /** What follows from it, after the guess. */
    told: [
      "作者分析过自己的结果：长文本切成的段少，段首那些前文很少、难猜的词也就少了，光是这一点就让预测更容易。模型用到的上下文也许并不比训练时多。",
      "第一页上出现的名字，第二十页才问起，它的分数就得比中间所有的词高出“斜率乘以距离”那么多。",
      "ALiBi 的长处是：没有参数，每个分数只加一个数，用 2048 个词训练的模型到了第 2049 个词也不会崩溃。BLOOM、MPT、Baichuan2‑13B 和 Jina Embeddings 2 都用它。较新的语言模型大多改用旋转，再为长文本把转动放慢，这就是下一章。",
    ],
    why: [
      {
        title: "别人测到了什么",
        paragraphs: [
          "Chi 等人测量了预测依赖于哪些词，发现只要训练时的长度盖住了这个范围，ALiBi 就不会坏。",
          "Kazemnejad 等人用只有解码器的小模型做推理和算术，发现输入比训练时长的时候，ALiBi、旋转编码和绝对编码都不太行，完全不用位置编码的反而更好。",
        ],
      },
    ],
  },
  profiles: {
    heading: "ALiBi 的亲戚：直线、台阶和曲线",
    paragraphs: [
      "ALiBi 有一家子亲戚：它们都在分数上加一个数，这个数取决于两个词隔多远；不同的是这个数怎样下降。",
      "$$\\begin{aligned} \\text{ALiBi} &\\quad -m\\,\\delta \\\\ \\text{KERPLE 幂} &\\quad -a\\,\\delta^{\\,p} \\\\ \\text{KERPLE 对数} &\\quad -a\\,\\ln(1 + r\\,\\delta) \\\\ \\text{T5} &\\quad W_{\\mathrm{bucket}(\\delta)} \\\\ \\text{Sandwich} &\\quad c_h \\Bigl(\\textstyle\\sum_k \\cos(\\delta\\,\\theta_k) - \\tfrac{d}{2}\\Bigr) \\\\ \\text{FIRE} &\\quad f\\!\\left(\\frac{\\psi(\\delta)}{\\psi(\\max(L, i))}\\right) \\end{aligned}$$",
      "这里 $\\delta$ 是距离。$a$、$p$、$r$、T5 的表 $W$ 和 FIRE 的小网络 $f$ 都是学出来的；ALiBi 和 Sandwich 什么都不学。Sandwich 取的是正弦编码点积里的那个余弦和，每个头再乘上一个固定的 $c_h$。FIRE 取对数 $\\psi(x) = \\ln(1 + c\\,x)$，再除以查询自己的位置 $i$ 的对数（$i$ 小于 $L$ 时用 $L$），$c$ 和 $L$ 也是学出来的。所以文本越长，同样的距离就越不算什么。",
    ],
    points: [
      "<em>把 KERPLE 幂形式的指数设为 1</em>，它就是一条直线：斜率可以学习的 ALiBi。指数小于 1，曲线逐渐变平。",
      "<em>对数一直在下降，但越来越慢。</em>换到权重来看：远处的键合起来仍占一份，而 ALiBi 的直线把它们切掉了。",
      "<em>T5 是一段台阶。</em>距离越远，台阶越宽，最后一级没有尽头：再远也不多扣分，不管文本有多长。",
      "<em>Sandwich</em> 先快后慢地下降，还看得出波纹。",
      "<em>把查询往后移</em>：只有 FIRE 的曲线会变。",
    ],
    figure: {
      title: "随距离下降的六种方式",
      shows:
        "折线图：偏置（或分数相等时的注意力权重）随距离的变化，有 ALiBi、KERPLE 的两种形式、T5、Sandwich 和 FIRE。",
      caption:
        "T5 和 FIRE 的数是学出来的，这里用替身代替训练好的模型：T5 的表在每个桶里填的是 KERPLE 对数形式在该桶最近距离处的值；FIRE 的网络只有一个隐藏单元，乘以 {scale}。",
      show: "显示",
      shown: { bias: "偏置", weights: "权重" },
      head: "头（ALiBi、Sandwich）",
      headValue: "{head} / {heads}",
      amplitude: "KERPLE 的 a",
      rate: "KERPLE 的 r（对数）",
      exponent: "KERPLE 的 p（幂）",
      query: "查询的位置",
      range: "最远距离",
      names: { alibi: "ALiBi", power: "KERPLE 幂", log: "KERPLE 对数", t5: "T5", sandwich: "Sandwich", fire: "FIRE" },
      distance: "距离",
      steps: "到键的步数（从 1 算起）",
      bias: "偏置",
      weight: "权重",
      chartLabel: "偏置或权重随距离的变化，每种编码一条线",
      read: "距离 {distance}：{values}",
      table: "按距离：{what}",
    },
  },
  code: {
    paragraphs: ["先看斜率，再看一个头能看多远，最后对四倍长的文本问同样的问题。开头的几个数就是第一幅图里的设置。"],
  },
  quiz: [
    {
      question: "一个解码器有 8 个用 ALiBi 的头。对十步之前的键，第 1 个头（斜率 ½）从分数里扣多少？",
      options: [
        { text: "½", why: "这是一步的价钱，十步要扣十倍。" },
        { text: "5", why: "½ 乘以 10。这个键的权重要除以 e⁵，约 148。" },
        { text: "2¹⁰", why: "偏置沿直线增长，按指数缩小的是权重。" },
        { text: "取决于是什么词", why: "扣多少只看头和距离，词的作用在点积里。" },
      ],
      answer: 1,
    },
    {
      question: "BLOOM（见上面折叠的问题）加上的是 $m \\cdot j$，只取决于键的位置。为什么这仍然是 ALiBi？",
      options: [
        {
          text: "因为 softmax 只看一行之内的差别，而整行和 −m(i − j) 只差同一个常数",
          why: "j 不超过 i 时，m·j = m·i − m(i − j)，而 m·i 在整行里都相同。不成立的那些键被因果掩码遮住了。",
        },
        { text: "因为 BLOOM 的斜率是学出来的", why: "它的斜率就是论文里固定的那些。" },
        {
          text: "这不是 ALiBi：远处的键反而权重更大",
          why: "查询之后的键都被掩码遮住了，所以 j 越大离查询越近，权重更大的是近处的键。",
        },
      ],
      answer: 0,
    },
    {
      question: "一个用 ALiBi 的模型在 1024 个词上训练，在 8192 个词上损失一样低。这说明什么？",
      options: [
        { text: "它用上了全部 8192 个词", why: "图里看得到：除非远处的词分数高出很多，权重几乎都留在近处。" },
        { text: "它的斜率适应了新的长度", why: "斜率在训练之前就定好了，不随文本改变。" },
        {
          text: "它还能正常工作；至于有没有用上远处的词，要另外测量",
          why: "损失低，主要靠近处的词；能不能从远处找回内容，要用专门的测试。",
        },
      ],
      answer: 2,
    },
  ],
  sources: [
    {
      cite: "Press 等，Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation，2021，第 3 节；对更长输入的分析见附录 B",
      url: "https://arxiv.org/abs/2108.12409",
      note: "头数不是 2 的幂时的斜率出自作者公布的代码。",
    },
    {
      cite: "Raffel 等，Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer（T5），2019，第 2.1 节",
      url: "https://arxiv.org/abs/1910.10683",
    },
    {
      cite: "Chi 等，KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation，2022",
      url: "https://arxiv.org/abs/2205.09921",
    },
    {
      cite: "Chi 等，Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis（Sandwich），2022",
      url: "https://arxiv.org/abs/2212.10356",
    },
    {
      cite: "Li 等，Functional Interpolation for Relative Positions Improves Long Context Transformers（FIRE），2023",
      url: "https://arxiv.org/abs/2310.04418",
    },
    {
      cite: "Kazemnejad 等，The Impact of Positional Encoding on Length Generalization in Transformers，2023",
      url: "https://arxiv.org/abs/2305.19466",
    },
    {
      cite: "BigScience Workshop，BLOOM: A 176B-Parameter Open-Access Multilingual Language Model，2022",
      url: "https://arxiv.org/abs/2211.05100",
    },
    {
      cite: "Günther 等，Jina Embeddings 2: 8192-Token General-Purpose Text Embeddings for Long Documents，2023",
      url: "https://arxiv.org/abs/2310.19923",
      note: "用于编码器的对称形式。",
    },
  ],
};

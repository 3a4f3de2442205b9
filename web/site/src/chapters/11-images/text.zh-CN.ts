// 图像与视频一章：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";

export const zhCN: typeof en = {
  question: "词站在一行里的某个地方，那么<strong>图像里的一小块</strong>站在哪里？",
  idea: [
    "视觉 Transformer 把图像切成一个个小方块，叫<em>图块</em>（patch），像读词一样读它们。在注意力眼里，它们只是一袋图块，就像句子只是一袋词。所以得告诉每个图块它在哪里，而这要用两个数：行和列。",
    "位置就是一排钟。图块有<em>两排钟</em>，一排管行，一排管列；把两个图块的钟对照一下，就知道它们在两个方向上各隔多远。视频再加一排管时间。",
  ],
  patches: {
    heading: "两个坐标，各占一半",
    paragraphs: [
      "选一个图块。三幅图表示其他每个图块的位置与它有多相似。向量的一半表示<span data-link='row'>行</span>，另一半表示<span data-link='column'>列</span>：",
      "$$\\mathrm{PE}(\\link{row}{r}, \\link{column}{c}) = \\bigl[\\, \\mathrm{PE}_{d/2}(\\link{row}{r}) \\;\\big|\\; \\mathrm{PE}_{d/2}(\\link{column}{c}) \\,\\bigr]$$",
      "<em>轴向 RoPE</em> 对查询和键也这样做：一半的对按行旋转，另一半按列旋转。",
    ],
    figure: {
      title: "每个图块离选中的那块有多近？",
      shows:
        "一幅切成图块的风景画，以及同一网格的三幅相似度图，颜色表示各图块的位置与所选图块的相似程度：二维正弦编码和轴向 RoPE 呈现一团柔和的斑点，外加所在行和列构成的十字；逐行编号则呈现一条条横纹。",
      rows: "行数",
      columns: "列数",
      dim: "维度数 d",
      base: "RoPE 的底数",
      picture: "图像",
      pictureLabel: "一幅切成图块的图像：山丘、太阳、房子和树",
      mapLabel: "所有图块与所选图块的相似度：{method}",
      methods: {
        grid: "二维正弦编码",
        line: "逐行编号",
        axial: "轴向 RoPE",
      },
      notes: {
        grid: "表中两行的点积",
        line: "对图块编号用一维正弦编码",
        axial: "查询与键相同时的分数",
      },
      help: "单击图块，或用方向键移动（实线框）；鼠标悬停，或按住 Shift 再按方向键，可读出另一格（虚线框）。",
      chosen: "所选：行 {row}，列 {column}（从 0 数起）",
      read: "行 {row}，列 {column}：",
      toRight: "右边一格",
      below: "下面一格",
      around: "行尾 → 下一行开头",
      outside: "无",
      scale: "相似度（与自身为 1）",
      patch: "行 {row}，列 {column}",
      patchName: "图块",
      table: "与行 {row}、列 {column} 的图块的相似度",
      neighbours: "相邻图块的相似度",
      pair: "图块对",
    },
    points: [
      "像文本那样<em>逐行编号</em>，有两处出错。下面的图块明明紧挨着，按编号却隔了整整一行；每行的最后一块和下一行的第一块编号相邻，在图上却各在一头。改一改列数：下面那块一动没动，相似度却变了。",
      "二维的图上有一个<em>十字</em>：沿着自己所在的行，不管走多远，行的那份相似度始终保留。",
    ],
    why: [
      {
        title: "为什么会有十字？",
        paragraphs: [
          "把两个图块的向量做点积，两半的结果相加。每一半只知道自己那个方向上的距离：",
          "$$\\begin{aligned} \\mathrm{PE}(r, c) \\cdot \\mathrm{PE}(r', c') &= \\sum_i \\cos\\bigl((\\link{row}{r - r'})\\,\\omega_i\\bigr) \\\\ &+ \\sum_i \\cos\\bigl((\\link{column}{c - c'})\\,\\omega_i\\bigr) \\end{aligned}$$",
          "既然是相加，一半给出的，另一半收不回去。RoPE-Mixed 的办法是让每一对按行与列的混合来旋转。",
        ],
      },
      {
        title: "底数为什么取 100？",
        paragraphs: [
          "把 RoPE 的底数设为 10 000：它的图就和正弦编码的完全一样。两个相同的向量旋转以后的分数，正是同一个余弦之和。图像模型常把底数取为 100（RoPE-ViT；DINOv3 也是，坐标取 −1 到 1）：16 或 32 格的网格用不着上万的波长。",
        ],
      },
      {
        title: "最早的 ViT 逐行编号，为什么效果也很好？",
        paragraphs: [
          "它学的是一张<em>一维</em>的表，而学到的向量可以是任何样子：训练中，图像同一行、同一列的向量自然变得相像，网格是从数据里发现的。固定的公式则不会自己发现，得由人写进去。",
        ],
      },
    ],
  },
  mrope: {
    heading: "词和图像在同一个序列里",
    paragraphs: [
      "能看图的语言模型，词和图块排在同一个序列里。Qwen2-VL 给每个词元三个位置：<span data-link='time'>时间</span>、<span data-link='height'>高</span>、<span data-link='width'>宽</span>，并把每个头里的钟分给它们（<em>M-RoPE</em>）。词没有高和宽，三个数都是它的序号；一幅静止图像的所有图块，时间相同。图像之后的词，从已用过的最大编号加一接着数。",
    ],
    predict: {
      question: "先是五个词，位置 0～4，然后是一幅 4 × 6 个图块的图像。下一个词的位置是几？",
      options: ["11", "29", "6"],
      answer: 0,
      reveal:
        "图像从 5 开始，较长的一边有 6 格：5 + 6 = 11。它的 24 个图块是 24 个词元，却只占 6 个位置，所以图很多的长对话也不会超出训练过的范围。",
    },
    figure: {
      title: "每个词元三个位置",
      shows:
        "一个由词和图块网格组成的序列。每个词元带三个数：时间、高、宽。折线图沿着序列画出这三个数：在文本里合为一条，在图像里分开。下面是一个头的 64 对，画成小钟，各标着它按哪个轴旋转。",
      what: "序列",
      whats: { image: "文本和一幅图像", video: "文本和一段视频", two: "文本和两幅图像" },
      rows: "图块行数",
      columns: "图块列数",
      frames: "帧数",
      order: "各对的分法",
      orders: { chunked: "Qwen2-VL：分段", interleaved: "Qwen3-VL：轮流" },
      after: "后面的文本",
      afters: { spatial: "接在行和列之后", maximum: "接在最大的编号之后" },
      before: ["这", "是", "一幅", "画", "："],
      between: ["还有", "一幅", "："],
      behind: ["里面", "有", "什么", "东西", "？"],
      sequence: "词元",
      sequenceLabel: "按顺序排列的词元，每个带时间、高、宽",
      word: "“{word}”，词元 {index}：时间 {t}，高 {h}，宽 {w}",
      patch: "图块（帧 {frame}，行 {row}，列 {column}），词元 {index}：时间 {t}，高 {h}，宽 {w}",
      imagePatch: "图块（行 {row}，列 {column}），词元 {index}：时间 {t}，高 {h}，宽 {w}",
      next: "下一个词元的位置是 {next}。前面共有 {count} 个词元：与逐个计数相差 {delta}。",
      chart: "位置编号沿序列的变化",
      chartLabel: "每个词元的时间、高和宽",
      token: "词元",
      id: "位置编号",
      axes: { t: "时间", h: "高", w: "宽" },
      clocks: "这个词元处，一个头的 {pairs} 对",
      clocksLabel: "一个头的 {pairs} 对画成指针：{t} 对按时间、{h} 对按高、{w} 对按宽旋转；第一对转得最快",
      counts: "{t} 对按时间旋转，{h} 对按高，{w} 对按宽。",
      readChart: "词元 {index}：时间 {t}，高 {h}，宽 {w}",
      help: "单击词元，或用方向键移动。",
      frame: "帧 {frame}",
    },
    points: [
      "折线图里，三条线<em>在文本中合在一起</em>，到图像里才分开。所以这样的模型可以从语言模型长出来：对文本来说什么都没变。",
      "把钟分给三个方向，办法有两种。<em>分段</em>（Qwen2-VL）：最快的一段归时间，中间归高，最慢的归宽，在一幅图之内几乎不动。<em>轮流</em>（Qwen3-VL）：时间、高、宽一只一只轮着分，每个轴都有快有慢。用错了分法，文本不受影响，因为三个数相等；图像的位置却全错了，而且不报错。",
    ],
    why: [
      {
        title: "公式，以及视频之后文本从几数起",
        paragraphs: [
          "图像从位置 $s$ 开始，其中第 $f$ 帧、第 $r$ 行、第 $c$ 列的图块，三个数都从 $s$ 数起：",
          "$$(\\link{time}{t}, \\link{height}{h}, \\link{width}{w}) = (s + f,\\; s + r,\\; s + c)$$",
          "（Qwen2-VL 会先把 $2 \\times 2$ 个图块合成一个，这里说的图块是合成之后的。）选<em>视频</em>，让帧数比行数和列数都多。按“接在行和列之后”（Transformers v5），文本会从帧已经用过的编号接着数；按“接在最大的编号之后”（论文、Transformers v4、transformers.js）则不会。对图像两者相同；检查点训练时用的是哪一种，推理时就该用哪一种。",
        ],
      },
    ],
  },
  resize: {
    heading: "换一种尺寸的图像",
    paragraphs: [
      "可学习的表，训练网格里每个位置有一行：ViT 处理 224 像素的图像，用的是 $14 \\times 14$ 的网格。遇到更大的图像，就把这张表本身当作一幅小图像来<em>放大</em>：新的每一行由周围的行混合而成。",
    ],
    predict: {
      question: "网格从 14 × 14 放大到 24 × 16，放大后的表哪里错得最多？",
      options: ["中间", "边缘", "到处一样"],
      answer: 1,
      reveal: "看第四幅图：误差集中在放大得更多的上下两边。那里缺了一半的邻居，只好重复最后一行。",
    },
    figure: {
      title: "从 14 × 14 到任意网格",
      shows:
        "三幅图表示各图块的位置与所选图块的相似程度：训练时的 14 × 14 网格、缩放后的网格、以及缩放后本应如此的样子。第四幅图表示缩放后的表在哪里出错，另有一张表比较各种方法。",
      rows: "新的行数",
      columns: "新的列数",
      noise: "表中的噪声",
      mode: "方法",
      modes: {
        nearest: "最近邻",
        bilinear: "双线性",
        bicubic: "双三次",
        line: "当作一行",
      },
      antialias: "抗锯齿（缩小时多取平均）",
      before: "训练时，14 × 14",
      after: "缩放后，{rows} × {columns}",
      truth: "本应如此",
      error: "每个图块向量的误差",
      mapLabel: "与所选图块的相似度：{name}",
      errorHelp: "最后一幅图：一个图块的向量与真值相差多少，取各个数之差的均方根。",
      errorLabel: "缩放后各图块的向量的误差",
      help: "在任意一幅图上单击图块，或用方向键移动。",
      place: "行 {row}，列 {column}：",
      method: "方法",
      rms: "误差（均方根）",
      withAntialias: "{method}，抗锯齿",
      comparison: "各种方法的误差，从 14 × 14 到 {rows} × {columns}",
    },
    points: [
      "表很光滑时，<em>双三次</em>插值（混合周围 4 × 4 格）跟得最紧。<em>加大噪声</em>，就轮到双线性（混合 2 × 2 格）了：它传下去的噪声更少。",
      "<em>当作一行</em>则忘了有网格这回事，把 196 行当成一段文本来拉长。程序不会报错，表却完全错了。",
    ],
    why: [
      {
        title: "新的格子落在哪里？这里比的是什么？",
        paragraphs: [
          "新网格共 $n$ 格，其中第 $i$ 格落在旧网格的",
          "$$x = \\Bigl(i + \\tfrac12\\Bigr)\\,\\frac{14}{n} - \\tfrac12$$",
          "处。要看插值好不好，就得有一张知道真实中间值的表：这里把正弦编码装进一张可学习的表，当作是训练得来的。还可以加上噪声，因为真正学到的表从来没有这么光滑。",
        ],
      },
      {
        title: "各个库是怎么做的？",
        paragraphs: [
          "Transformers 库对 ViT、DeiT 和 DINOv2 用的是双三次插值。网格<em>缩小</em>时（$7 \\times 7$）抗锯齿才重要。噪声大时，在更大范围内取平均有好处；没有噪声时，它只会把快的波抹平。网格放大时，只有双三次会变一点：带抗锯齿的双三次用的是另一个核。timm 库默认打开，Transformers 默认关闭：同一个检查点，结果会略有不同。前面如果有类别词元（class token），不要让它混进网格：在 posenc 里写 <code>prefix: 1</code>。",
        ],
      },
    ],
  },
  window: {
    heading: "只看相对位置：Swin",
    paragraphs: [
      "Swin 只在小窗口内做注意力，并为每一种<em>位移</em>学一个数，加到分数上。$M \\times M$ 个图块的窗口里有 $M^4$ 对图块，却只有 $(2M-1)^2$ 种位移，位移相同的各对共用表中的第 $e$ 项：",
      "$$\\begin{aligned} e &= (\\link{row}{\\Delta r} + M - 1)(2M - 1) \\\\ &+ (\\link{column}{\\Delta c} + M - 1) \\end{aligned}$$",
      "其中 $\\Delta r$、$\\Delta c$ 是查询的行、列减去键的行、列。这就是 T5 的距离表，只是多了一维。",
    ],
    figure: {
      title: "共用一项的图块对",
      shows:
        "一个窗口的图块，一支箭头从查询指向键，位移相同的其他各对画成较淡的箭头。旁边是各项组成的表，每种位移一格，颜色表示有多少对共用这一项；正在使用的那项加了框。",
      size: "窗口 M",
      window: "窗口",
      windowLabel: "窗口中的图块：查询，以及它看向的键",
      table: "各项的表",
      tableLabel: "按位移排列的各项，以及共用每一项的图块对有多少",
      move: "单击时移动",
      query: "查询",
      key: "键",
      rowOffset: "行差 Δr",
      columnOffset: "列差 Δc",
      help: "单击图块，或用方向键移动。单击各项的表，就取那种位移。",
      read: "查询（{queryRow}, {queryColumn}），键（{keyRow}, {keyColumn}）：Δr = {rows}，Δc = {columns}，对应第 {entry} 项，由 {count} 对共用",
      totals: "{pairs} 对图块，{entries} 项",
      count: "图块对",
      tableCaption: "共用每一项的图块对数",
    },
    points: [
      "位移 $(0, 0)$，即图块看自己，那一项由全部 $M^2$ 个图块共用；从一角看向对角的那一项，只有一对在用。",
      "这里的行和列<em>不是</em>相加的：对角线有自己的项，除非学出来，否则不会出现十字。",
      "窗口变大，就需要从没学过的项。它们同样靠插值得到，见上一节。",
    ],
  },
  video: {
    heading: "时间也是一个轴",
    paragraphs: [
      "视频是一摞图像。向量（或一个头里的各对）分给三个坐标：时间、行、列。正弦编码默认每个轴三分之一；用旋转的视频模型则自己定各占多少：HunyuanVideo 的 128 个特征里，时间占 16 个，行和列各占 56 个。",
    ],
    figure: {
      title: "同一个地方，稍后一刻",
      shows:
        "一段小动画的各帧，太阳划过天空；每帧下面是一幅图，表示这一帧的每个图块与所选那一帧的所选图块有多相似。在一帧之内，相似度随空间距离下降；从一帧到另一帧，随时间下降。",
      frames: "帧数",
      method: "编码",
      methods: { table: "三维正弦编码", axial: "轴向 RoPE，三个轴" },
      frame: "帧 {frame}",
      frameLabel: "动画的帧 {frame}",
      mapLabel: "帧 {frame} 的图块与所选图块的相似度",
      help: "单击任意一帧的图块，或用方向键移动；Page Up 和 Page Down 换帧。",
      read: "帧 {frame}，行 {row}，列 {column}：{value}",
      same: "同一个地方",
      frameName: "帧",
      table: "各帧同一位置与帧 {frame} 所选图块的相似度",
    },
    points: [
      "比较一下两种编码。这里的<em>轴向 RoPE</em> 用的是 HunyuanVideo 的分法：<em>时间</em>分到的特征这么少，各帧之间就更加相似。空间贡献的那些，不管过了多久都还在。",
    ],
  },
  code: {
    paragraphs: ["一个图块的邻居，按网格和按一行来看；缩放一张表；带一幅图像的序列的位置编号。"],
  },
  quiz: [
    {
      question: "一幅 10 × 10 个图块的图像逐行编号，用一维正弦编码。哪一对图块看上去离得最近？",
      options: [
        { text: "一个图块和它下面的那块", why: "它们紧挨着，编号却差 10：编码看到的距离是十。" },
        { text: "一行的最后一块和下一行的第一块", why: "它们的编号只差一，虽然在图像的两头。" },
        { text: "对角线上相邻的两块", why: "它们的编号差 11 或 9，比同一行里相邻的两块远得多。" },
      ],
      answer: 1,
    },
    {
      question: "三个词后面是一幅 6 × 6 个词元的图像。M-RoPE 把图像后面的第一个词放在哪个位置？",
      options: [
        { text: "39", why: "前面确实有这么多词元，但图像占的位置不会比它的行数更多。" },
        { text: "9", why: "图像从 3 开始，有 6 行 6 列，3 + 6 = 9。" },
        { text: "4", why: "图像里时间不动，但高和宽一直数到 8；文本接在它们后面。" },
      ],
      answer: 1,
    },
    {
      question: "在 14 × 14 个图块上训练的 ViT，遇到 28 × 28 个图块的图像。它学到的表要怎么办？",
      options: [
        { text: "把 196 行当作一行拉长到 784 行", why: "图像的各行会和错误的邻居混在一起：网格没有了。" },
        { text: "缺的行随机生成", why: "这些行还得先训练；否则大多数位置得到的信息毫无意义。" },
        {
          text: "把网格当作 d 个通道的图像来放大",
          why: "沿行和列做双三次或双线性插值；类别词元的那一行保持不变。",
        },
      ],
      answer: 2,
    },
  ],
  sources: [
    {
      cite: "Dosovitskiy 等，An Image is Worth 16x16 Words，2020，第 3.1 节与附录 D.4",
      url: "https://arxiv.org/abs/2010.11929",
      note: "图块、可学习的表、一维与二维的比较，以及对其他尺寸的插值（第 3.2 节）",
    },
    {
      cite: "Parmar 等，Image Transformer，2018，第 3.1 节",
      url: "https://arxiv.org/abs/1802.05751",
      note: "行与列的正弦编码",
    },
    {
      cite: "Liu 等，Swin Transformer，2021，第 3.2 节，式 4",
      url: "https://arxiv.org/abs/2103.14030",
      note: "按位移的偏置",
    },
    {
      cite: "Heo 等，Rotary Position Embedding for Vision Transformer，2024，第 3 节",
      url: "https://arxiv.org/abs/2403.13298",
      note: "轴向 RoPE、底数 100，以及混合两个轴的频率",
    },
    { cite: "Wang 等，Qwen2-VL，2024，第 2.1 节", url: "https://arxiv.org/abs/2409.12191", note: "M-RoPE" },
    {
      cite: "Bai 等，Qwen3-VL Technical Report，2025",
      url: "https://arxiv.org/abs/2511.21631",
      note: "轮流分配的 M-RoPE",
    },
    { cite: "Kong 等，HunyuanVideo，2024", url: "https://arxiv.org/abs/2412.03603", note: "沿时间、高、宽的旋转" },
  ],
};

// 第 2 章，从计数到波：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";

export const zhCN: typeof en = {
  question:
    "位置不过是一个数：0、1、2、3……那么<strong>把这个数直接告诉模型</strong>，或者告诉它二进制的各位，不就行了？",
  idea: [
    "二进制只用 0 和 1 计数，各位依次值 1、2、4、8……从左到右看每一道：值 1 的那一位每走一步就翻转一次，值 2 的每两步一次，值 4 的每四步一次。快的位分辨相邻的词，慢的位分辨开头和结尾，合起来就能唯一确定每个位置，就像里程表上的一排数字轮。",
    "每一位都是一条有棱角的波，不是开就是关。画在上面的平滑的波叫<em>正弦</em>，比这一位的波长一倍，在这一位第一次变成 1 的地方到顶：慢的位配慢的波。这一章要说的就是：简单的计数总要出毛病，补救的办法是几条波，有快有慢，都在 −1 和 1 之间。",
  ],
  waves: {
    heading: "从二进制到波",
    paragraphs: [],
    points: [
      "<em>把位置从 7 移到 8</em>：0111 变成 1000，四位一起翻转。波却不会这样跳：快的动得多，慢的动得少。",
      "<em>正弦</em>：每条波都恰好在对应的位第一次变成 1 的地方到达波峰：1、2、4、8。隔多少个位置重复一次，就是它的波长。",
      "<em>正弦和余弦</em>：每条正弦都有了一个搭档，领先四分之一个波长。有什么用，看下面的“第一只钟”。",
    ],
    why: [
      {
        title: "磨圆的一位，写成公式",
        paragraphs: [
          "第 $i$ 条波（从 0 数起）从 0 出发，在第 $i$ 位第一次变成 1 的位置，第一次到达波峰：",
          "$$\\mathrm{PE}(\\link{place}{m})_i = \\sin\\!\\left(\\frac{\\pi}{2} \\cdot \\frac{\\link{place}{m}}{2^{\\,i}}\\right)$$",
          "这样 0 和 1 之间不再是一片空白，小小的一步只带来小小的变化。库里把它叫作周期编码。",
        ],
      },
      {
        title: "波长一定要翻倍吗？",
        paragraphs: [
          "不一定。只要从快到慢依次排开，最慢的一条和文本差不多长或者更长，就够了。Transformer 取的波长从 $2\\pi$ 到将近 $2\\pi \\cdot 10\\,000$，相邻两条的比例固定，<span data-link='base'>底数 $b$</span> 取 10 000：",
          "$$\\begin{aligned} \\mathrm{PE}(m)_{2i} &= \\sin\\!\\left(\\frac{m}{\\link{base}{b}^{\\,2i/d}}\\right) \\\\ \\mathrm{PE}(m)_{2i+1} &= \\cos\\!\\left(\\frac{m}{\\link{base}{b}^{\\,2i/d}}\\right) \\end{aligned}$$",
          "选“正弦和余弦”，底数 16，四对：波长像二进制一样翻倍，只是从 $2\\pi$ 开始。把底数调大，波长就拉开了：只用几对，也能管到长得多的文本。",
        ],
      },
    ],
    figure: {
      title: "二进制位与波，一道一道地看",
      shows:
        "每一位占一道，最快的在最上面。每一道里，方波是这一位在各个位置上的值，平滑的曲线是同号的波：或者是在这一位第一次变成 1 处到达 1 的正弦，或者是正弦编码的一个正弦和一个余弦。",
      wave: "波",
      options: { periodic: "正弦", sinusoidal: "正弦和余弦" },
      lanes: "道数",
      place: "位置 m",
      base: "底数 b",
      lane: "位权 {worth}",
      wavelength: "波长 {wavelength}",
      digit: "位 = {value}",
      sine: "正弦 = {value}",
      cosine: "余弦 = {value}",
      digitName: "二进制位",
      sineName: "正弦",
      cosineName: "余弦",
      number: "位置 {place} 的二进制：{digits}",
      position: "位置",
      area: "各个位置上的二进制位和波",
      hint: "用鼠标悬停、手指点按，或者拖动滑块“位置 m”。",
      digits: "各个位置上的二进制位和波的值",
    },
  },
  strips: {
    heading: "写下位置的六种办法",
    paragraphs: [
      "下面是六张表，每个位置占一行，这一行数就是它的向量。同一个<span data-link='place'>位置 $m$</span> 在各张表里高度相同。",
    ],
    predict: {
      question: "文本变长了。下面三张表里，哪一张原有的数会变？",
      options: ["整数", "归一化", "二进制"],
      answer: 1,
      reveal: "把文本加长试试：归一化的那一列被拉长，除了第一个位置，每个位置的数都变了。",
    },
    points: [
      "<em>独热</em>：有多少个位置就有多少盏灯，只亮一盏。任何两个位置都一样远，文本越长，向量也越长。",
      "<em>整数</em>：就是这个数本身。它没有界：位置 4000 的数是位置 1 的 4000 倍，而神经网络最喜欢大小相近的输入。",
      "<em>归一化</em>：走到了全文的几分之几，$m/(n-1)$。一步有多长，要看文本有多长。",
      "<em>二进制</em>：短，而且有界。可是步子不均匀，位数用完，表也就到头了。",
      "<em>周期</em>：每一位换成一条正弦。平滑，但正弦等于 0.5 时，可能在上升，也可能在下降，而且波会重复。",
      "<em>正弦编码</em>：每条正弦配上余弦。上面这些毛病它都没有，原因看下面的钟。",
    ],
    figure: {
      title: "六张表，每个位置一行",
      shows:
        "六幅并排的热力图，对应写下位置的六种办法：独热、整数、归一化、二进制、周期、正弦编码。一条横线在六幅图里标出所选的位置，每幅图下面写着这个位置的向量。",
      length: "长度 n（位置数）",
      place: "位置 m",
      waves: "位、波、对的个数",
      kinds: {
        "one-hot": "独热",
        integer: "整数",
        normalized: "归一化",
        binary: "二进制",
        periodic: "周期",
        sinusoidal: "正弦编码",
      },
      features: "每个位置 {count} 个数",
      oneHot: "第 {place} 列是 1，其余是 0",
      missing: "没有向量：表到位置 {last} 为止",
      range: "{low} 到 {high}",
      table: "{kind}：各个位置的向量",
      feature: "数",
      hint: "自上而下是位置 0 到 {last}。用鼠标悬停、手指点按，或者拖动滑块“位置 m”。画斜线的地方，表已经到头。",
    },
  },
  clocks: {
    heading: "第一只钟",
    paragraphs: [
      "把正弦当作高，余弦当作向右的距离，就得到圆上的一个点，也就是钟的指针的针尖。指针从正右方出发，逆时针转，每走一步都转过同样的角度。它只有一个毛病：转一圈又回到原处。那就多用几只钟，每只的速度都是前一只的一半，合在一起读，就像里程表的一排数字轮。",
    ],
    predict: {
      question: "要用多少只这样的钟，64 个位置里才没有相隔很远却看着相像的？",
      options: ["2", "5", "32"],
      answer: 1,
      reveal: "五只钟里最慢的一只，101 个位置才转一圈，比这段文本还长。一只一只地加，看看曲线。",
    },
    points: [
      "<em>一只钟</em>，每步转 1 弧度：位置 50 和位置 6 几乎一样，因为 44 步差不多就是七圈。",
      "<em>一只一只地加</em>：曲线上的谷一个接一个地升起来，最后只剩下 $m$ 自己所在的那一个。",
    ],
    figure: {
      title: "一排钟，每只的速度都是前一只的一半",
      shows: "一排钟面，每只钟的指针指着所选的位置；下面的折线图是所选位置的向量与其他每个位置的距离。",
      place: "位置 m",
      clocks: "钟的只数",
      clock: "第 {number} 只",
      note: "{wavelength} 步一圈",
      chartTitle: "其他位置离 m 有多远？",
      position: "位置",
      distance: "距离",
      hands: "位置 {place} 的指针",
      handColumn: "钟",
      sine: "正弦",
      cosine: "余弦",
      read: "位置 {other}：距离 {distance}",
      twin: "位置 {other} 比左右的邻居更像位置 {place}：距离只有 {distance}，走一步的距离却是 {step}。",
      clear:
        "没有哪个位置比左右的邻居更像位置 {place}：走一步的距离是 {step}，再往后最近的是位置 {other}，距离 {distance}。",
    },
  },
  thread: {
    heading: "一排钟",
    paragraphs: [
      "<strong>位置就是一排快慢不同的钟：把两个位置的钟逐只对照，指针的夹角就说出两者隔了多远。</strong>下一章就来读这样一排钟，最早的 Transformer 用的就是它。",
    ],
  },
  breaks: {
    heading: "毛病出在哪里：量一量",
    paragraphs: [
      "我们希望位置表是什么样子？走到下一个位置，在哪里都应该是同样的一步，因为“前一个词”在文章中间和在开头是一个意思。两步应该比一步远。同一个位置，在短文本和长文本里应该有同一个向量。用两行之间的距离 $\\lVert \\mathrm{PE}(m) - \\mathrm{PE}(k) \\rVert$ 量一量就知道。",
      "<strong>独热</strong>过得了第一关，过不了第二关：任何两个位置都恰好相距 $\\sqrt{2}$，隔壁的和最远的一样。而且文本能有多长，向量就要有多长。",
      "<strong>整数</strong>的距离无可挑剔，但数值没有界：位置 4000 的数是位置 1 的 4000 倍，而神经网络最喜欢大小相近、分布在零附近的输入。比训练时见过的文本更长，来的就是网络从没见过的数。",
      "<strong>归一化</strong>以后数值有界了，但一步有多长要看文本有多长：$1/(n-1)$。5 个词的文本里，相邻的词相差 0.25，401 个词的文本里只差 0.0025。“前一个词”不再有固定的含义。",
      "<strong>二进制</strong>有界，而且只要 $\\log_2 n$ 个数，但步子不均匀。从 6 到 7 只变一位；从 7 到 8，0111 变成 1000，四位全变了。位置 0 和 8 只差一位，看起来像是邻居。而且 0 和 1 之间什么也没有。",
      "<strong>只用正弦</strong>，平滑、有界，步子也差不多均匀，但还不完全均匀。波会重复：用 $d$ 条波，位置 0 和 $2^d$ 的向量完全相同，从 $2^{d+1}$ 起，一切从头再来。多加几条波，可以把重复推到看不见的地方，可是最慢的波就几乎不动了。而且单看一个正弦值，分不出它在上升还是在下降。",
    ],
    points: [
      "<em>二进制，16 个位置</em>：折线像一把梳子，最高的齿是从 7 到 8 的一步。热力图里方块层层嵌套：离得远的位置，距离反而可能很小。",
      "<em>归一化</em>：长文本的虚线大约只有一半高。别的编码只要走得到那么远，两条线就重合。",
      "<em>整数</em>：热力图从对角线向外是一片干净的斜坡。这里没有毛病；毛病在测量结果的第一项。",
      "<em>周期，长度 64，4 条波</em>：对角线两边相隔 32 个位置处，各有一条颜色和它一样的线：从那里起，一切重复。此外还有零星的点，也是向量相同的位置，比如 0 和 16。",
      "<em>正弦编码</em>：一条平线，一幅沿着对角线的均匀条带。每种距离只有一个数值，在哪里量都一样。只有几对时，条带忽高忽低；多加几对，就平顺了。",
    ],
    figure: {
      title: "步长与距离",
      shows:
        "针对所选的编码：一张图，画出每个位置到下一个位置的距离，短文本一条线，两倍长的文本一条线；一幅所有位置两两距离的热力图；以及四项测量结果，各带勾或叉。",
      kind: "编码",
      length: "长度 n（位置数）",
      waves: "位、波、对的个数",
      stepTitle: "到下一个位置的一步",
      stepLabel: "每个位置到下一个位置的距离",
      step: "距离",
      place: "位置 m",
      otherPlace: "位置 k",
      near: "{count} 个位置的文本",
      far: "{count} 个位置的文本的开头",
      readStep: "{place} → {next}：{near}",
      readSteps: "{place} → {next}：{near}；长文本里 {far}",
      readDigits: "{place} → {next}：{near}；变了 {digits} 位",
      mapTitle: "所有的距离",
      mapLabel: "所有位置两两之间的距离",
      readMap: "位置 {row} 和 {column}：{distance}",
      facts: "测量结果",
      fine: "没问题",
      broken: "有毛病",
      size: {
        fine: "大小：绝对值最大 {near}，两倍长的文本里 {far}。",
        broken: "大小：绝对值最大 {near}，两倍长的文本里 {far}。",
        single: "大小：绝对值最大 {near}。",
      },
      even: {
        fine: "步长：处处是 {low}；两步合起来 {two}。",
        broken: "步长：从 {low}（{lowAt} → {lowNext}）到 {high}（{highAt} → {highNext}）。",
        flat: "步长：处处是 {low}，两步却也不过 {two}。",
      },
      fixed: {
        fine: "两倍长的文本：每个位置的向量都不变。",
        broken: "两倍长的文本：位置 {place} 原来是 {before}，现在是 {after}。",
        missing: "两倍长的文本：从位置 {count} 起没有向量。",
      },
      unique: {
        fine: "{count} 个位置里最相像的两个：{first} 和 {second}，距离 {distance}。",
        broken: "位置 {first} 和 {second} 的向量相同。",
      },
    },
  },
  code: {
    paragraphs: [
      "还是这六种编码，打印出各自相邻位置之间最短和最长的一步。距离由各行两两的点积得到，库一次调用就算出全部点积。",
    ],
  },
  quiz: [
    {
      question: "用四位二进制，从位置 7 到位置 8 有几位发生变化？",
      options: [
        { text: "一位", why: "从 6 到 7 才是这样，0110 变成 0111。" },
        { text: "两位", why: "从 1 到 2 才是这样，0001 变成 0010。" },
        {
          text: "四位全变",
          why: "0111 变成 1000。相邻的两个位置得到完全相反的向量，在四位二进制里已经是最远的了。",
        },
      ],
      answer: 2,
    },
    {
      question: "两个词紧挨着。它们的归一化位置 $m / (n-1)$ 相差多少？",
      options: [
        {
          text: "总是一样多。",
          why: "我们正希望如此。整数做得到，代价是数值没有界。",
        },
        {
          text: "要看它们在文本的什么地方。",
          why: "在同一个文本里，每一步都一样长。步子不均匀的是二进制和只用正弦的编码。",
        },
        {
          text: "要看文本有多长。",
          why: "$1/(n-1)$。文本长一倍，每一步就短一半。",
        },
      ],
      answer: 2,
    },
    {
      question: "为什么一条波不够用？",
      options: [
        {
          text: "快的波过几个位置就重复，慢的波从一个词到下一个词几乎不变。",
          why: "快的分辨相邻的词，慢的分辨开头和结尾。合在一起，就像各位数字一样，能唯一确定每个位置。",
        },
        {
          text: "一条波的值没有界。",
          why: "每个正弦都在 −1 和 1 之间。",
        },
        {
          text: "神经网络不会算正弦。",
          why: "用不着网络去算，表是加在它的输入上的。",
        },
        {
          text: "在更长的文本里，一条波的值会改变。",
          why: "$\\sin(\\omega m)$ 只取决于位置，与文本的长度无关。",
        },
      ],
      answer: 0,
    },
  ],
  sources: [
    {
      cite: "Vaswani 等，Attention Is All You Need，2017，第 3.5 节",
      url: "https://arxiv.org/abs/1706.03762",
      note: "正弦编码，以及作者为什么希望它能让模型按相对位置分配注意力。",
    },
    {
      cite: "Fleetwood，You could have designed state of the art positional encoding，2024",
      url: "https://huggingface.co/blog/designing-positional-encoding",
      note: "从整数、二进制一路走到波和旋转。",
    },
    {
      cite: "Kazemnejad，Transformer Architecture: The Positional Encoding，2019",
      url: "https://kazemnejad.com/blog/transformer_architecture_positional_encoding/",
      note: "整数、占全文的比例，以及把波看作软化的二进制位。",
    },
    {
      cite: "LeCun、Bottou、Orr、Müller，Efficient BackProp，1998，第 4.3 节",
      url: "http://yann.lecun.com/exdb/publis/pdf/lecun-98b.pdf",
      note: "神经网络为什么最喜欢大小相近、分布在零附近的输入。",
    },
  ],
};

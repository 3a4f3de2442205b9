// 位置编码凭什么管用？：简体中文。
import type { en } from "./text.en.ts";

export const zhCN: typeof en = {
  promise:
    "把一列正弦值直接加到词的向量上，听起来像是乱来：词不就毁了吗？用十分钟，你会亲手把词和位置从一个真实模型的“和”里读回来，也会看到这样做要付什么代价。",
  minutes: "8–10",
  models: {
    choose: "模型用的位置",
    names: { sinusoidal: "正弦", learned: "可学习的表", chinese: "可学习的表（中文模型）" },
    start: "载入模型（{megabytes} MB）",
    reading: "正在读取模型",
    table: "本文用到的模型",
    parameters: "参数量",
    context: "训练时的字符数",
  },
  room: {
    heading: "加完之后，词不就毁了吗？",
    paragraphs: [
      "模型把每个词变成一串数，也就是<em>词向量</em>，再加上另一串数，也就是几十个正弦波在这个位置上的取值，用来表示词站在哪里。可是光看 7，谁也说不出它是 3\u00A0+\u00A04 还是 5\u00A0+\u00A02。词不就找不回来了吗？",
      "不过，向量不是一个数，而是几百维空间里的一支箭。到了那里，纸面上的直觉就不灵了。",
    ],
    predict: {
      question: "随机的词向量遇上 50 个位置的正弦编码，每个向量 128 个数。100 对里有 95 对，夹角离直角最多差多少？",
      options: ["大约 80°", "大约 40°", "大约 10°"],
      answer: 2,
      reveal:
        "几乎每一对都接近垂直。在纸上（每个向量两个数）什么夹角都有。而垂直就意味着：拿其中一个去比较，感觉不到另一个的存在。",
    },
    figure: {
      title: "随机的词与正弦编码的夹角",
      shows: "随机词向量与正弦位置编码之间夹角的直方图。每个向量的数越多，夹角就越集中在 90 度附近。",
      dim: "每个向量有几个数",
      angle: "夹角（度）",
      count: "对数",
      middle: "95% 的夹角在",
      range: "{low}° 到 {high}°",
      lowest: "从（度）",
      highest: "到（度）",
      read: "{from}° 到 {to}°：{count} 对",
    },
    idea: [
      "高维空间里<em>很宽敞</em>。互不相干的词和位置几乎不会指向同一个方向，所以谁也不碍谁的事（其中的规律见<a href='./adding.html#cosines'>第 5 章</a>）。",
      "但这里的词是随机的。训练出来的词向量并不随机，意思相近的就挤在一起。换成真实的模型，还成立吗？",
    ],
  },
  probe: {
    heading: "在真实的模型里，两样都读得回来吗？",
    paragraphs: [
      "这是一个逐字符阅读的英文小模型。每个字符有 128 个数，再加上它所在位置的 128 个正弦值。从它没有训练过的文本里取 512 个这样的和，把原来的两部分扔掉。",
      "然后拿每个和去同全部 78 个字符、全部 256 个位置做点积，最匹配的就算答案。这里没有为此训练任何东西。",
    ],
    predict: {
      question: "256 个位置里最匹配的那一个，有多少次正好是对的？",
      options: ["几乎没有：字符把正弦值淹没了", "大约一半", "将近九成"],
      answer: 2,
      reveal: "你的浏览器刚刚数过：将近九成，找错的多半也只差一个位置。字符则几乎次次都找得到。",
    },
    figure: {
      title: "把和拆开",
      shows:
        "一行字符和它们的位置：加的时候是什么，从和里读回来的又是什么；下面是只保留一部分数时，字符和位置各能找对多少。",
      guide: "线性层就是一个矩阵，由另一段文本算出：字符彼此不同的那些方向，它少看。",
      kept: "每个向量保留几个数",
      keptOf: "{kept}（共 {all}）",
      strip: "其中的一些和，从位置 100 开始",
      added: "相加的",
      ways: { dot: "点积", layer: "线性层" },
      parts: { position: "位置", character: "字符" },
      line: "{part}，{way}",
      found: "{count} 个和里找对的",
      chart: "字符和位置各找对多少",
      share: "找对（%）",
      percent: "{percent}%",
      read: "{kept} 个数：位置 {dotPosition}% 和 {layerPosition}%，字符 {dotCharacter}% 和 {layerCharacter}%",
      table: "找对的百分比：{model}",
    },
    idea: [
      "现在换成<em>可学习的表</em>。点积几乎一个位置也找不到：表里的行比字符小得多，相邻的行又长得像。是丢了吗？没有。一个<em>线性层</em>，只要知道哪些方向属于字符，就几乎个个都找得到。而每个注意力头的第一步，正是这样一个矩阵。",
      "<em>代价是维度。</em>拖一拖滑块：只留 4 个或 8 个数时，两种办法都会丢字符、丢位置，或者两样都丢。中文模型要把四千多个字符挤进 128 维，就连线性层也只能找到三分之一多一点的位置。",
      "所以，和里确实两样都在。可是在里面，不等于用得上。模型真的用了吗？",
    ],
  },
  terms: {
    heading: "模型真的用了吗？",
    paragraphs: [
      "注意力用点积比较两个和。两个和相乘，展开就是四项：字符对字符、字符对位置、位置对字符、位置对位置。模型的每个分数都是这四项加起来的，所以可以分别问一问：每一项能让分数变动多少？",
    ],
    predict: {
      question: "在正弦模型的第一层，四项里哪一项让分数变动最大？",
      options: ["字符对字符", "两个交叉项", "位置对位置"],
      answer: 2,
      reveal: "四个头都是这样，而且差得很远。这一层在问“那里是什么”之前，先问“在哪里”。",
    },
    figure: {
      title: "是什么让分数变动",
      shows: "第一层的四个头各有四个条形，表示四项在一个查询的各个键之间变动多大；下面是所选的头的四项随距离的变化。",
      guide:
        "条形的长短是这一项在看得到的各个字符之间变动多大（标准差）。只有变动要紧：大家共有的部分，softmax 会消掉。",
      head: "头 {head}",
      terms: {
        contentContent: "字符 × 字符",
        contentPosition: "字符 × 位置",
        positionContent: "位置 × 字符",
        positionPosition: "位置 × 位置",
      },
      choose: "随距离的变化",
      chart: "每一项比自己的平均值高多少，随距离的变化",
      distance: "往前第几个字符",
      above: "比平均值高",
      read: "往前第 {distance} 个字符：{values}",
      table: "每一项让分数变动多少：{model}",
    },
    idea: [
      "一个头就是一对矩阵，而矩阵会挑方向：有的方向听得见，有的听不见。这几个头听的是正弦值，曲线画出它们听到了什么：近的更响。这不是谁设计好的。也从来没有谁把和拆开过，因为不需要。",
      "用可学习的表的模型则把四项混着用。怎么用，由训练决定（<a href='./adding.html#terms'>第 5 章</a>可以一格一格地看这四项）。",
      "到这里为止，这些数是不是正弦值并不重要。那么换成别的数行不行？",
    ],
  },
  waves: {
    heading: "为什么是正弦？随机数行不行？",
    paragraphs: [
      "给每个位置 128 个随机数。第一幅图已经说明：它们和所有的词都近似垂直，彼此也近似垂直，哪两个位置都不会弄混。根本用不着正弦。",
    ],
    predict: {
      question: "这样会丢掉什么？",
      options: ["什么也不丢", "这是哪个位置", "两个位置相距多远"],
      answer: 2,
      reveal:
        "在随机的表里，每个位置只像自己，不像任何别的位置。在它看来，6 离 5 和 200 离 5 一样远。现在换成正弦看看。",
    },
    figure: {
      title: "两个位置有多像？",
      shows:
        "一张表里 256 个位置两两之间余弦的图，三种距离上的平均余弦，以及用同一个矩阵能从多少个位置走到后面的某个位置。",
      guide: "暖色：相像。无色：毫不相干。蓝色：相反。",
      choose: "位置用的数",
      tables: { sinusoidal: "正弦", random: "随机", learned: "模型学到的" },
      map: "各个位置两两之间的余弦",
      position: "位置",
      read: "位置 {row} 和 {column}：{value}",
      alike: "平均有多像",
      apart: "相距 {distance}",
      matrix: "用一个矩阵走几步",
      steps: "往后几步",
      fitted: "矩阵只用偶数位置拟合，再拿奇数位置来考。",
      found: "奇数位置里走对的",
      percent: "{percent}%",
      distance: "距离",
      cosine: "平均余弦",
      table: "平均余弦随距离的变化：{name}",
    },
    idea: [
      "随机数只是<em>名字</em>，正弦却是一把<em>尺子</em>：近的相像，远的不那么像；而且同一个矩阵，能从每个位置走到往后三步的位置。它只拟合了偶数位置，到了奇数位置却个个走对，因为走一步就是旋转（<a href='./rotation.html'>第 4 章</a>）。这样的一步，一层学会一次，到处都能用。随机数里没有这样的矩阵。",
      "<em>可学习的表</em>一开始也只是名字。训练让相邻的行彼此靠拢（<a href='./learned.html'>第 6 章</a>），但要准确地走几步，它几乎做不到。",
      "远近都有了，和词装在同一个和里。那么，为什么新模型几乎都不用加法了？",
    ],
  },
  rotation: {
    heading: "那大家为什么都改用旋转？",
    paragraphs: [
      "一个 e 看它前面的 h，就像 the 里那样。把这一对沿着文本往后移：两个字符之间的关系没有变，变的只是它们站在哪里。",
    ],
    predict: {
      question: "在正弦模型里，它们的分数会怎样？（分数每高 1，注意力就是原来的 2.7 倍。）",
      options: ["始终不变", "上下晃动，不到 1", "忽高忽低，相差 10 以上"],
      answer: 2,
      reveal:
        "不管要不要，和把绝对位置带进了每一个分数。另一条线是同样两个字符的查询和键经过旋转之后的分数：一条平线。",
    },
    figure: {
      title: "同一对字符，走遍全文",
      shows: "两条线，横轴是文本里的位置：同样两个字符的分数，位置相加时忽高忽低，旋转时是平的。",
      guide: "旋转：只由字符算出查询和键，再用库里的 RoPE 转动。模型并没有这样训练过，这里只看线的形状。",
      head: "头",
      distance: "往前第几个字符",
      chart: "{query} 看前面第 {distance} 个字符 {key}，头 {head}",
      position: "位置",
      score: "分数",
      added: "相加",
      rotated: "旋转",
      moved: "旋转：最高减最低",
      range: "{low} 到 {high}",
      lowest: "最低",
      highest: "最高",
    },
    idea: [
      "用加法的模型，得在每个位置上重新学会不去管这一对站在哪里。训练到过的地方，它做得到。<em>旋转</em>（RoPE）不做加法，而是把查询和键各转一个角度，位置越靠后，转得越多。长度不变，两个角度只剩下差，也就是距离。原来要靠训练去找的，现在由公式保证（<a href='./rope.html'>第 8 章</a>）。",
    ],
  },
  ending: {
    heading: "记住三句话",
    paragraphs: [
      "<strong>空间够大。</strong>在几百维里，词和正弦编码几乎垂直：只要维度够多，和里就两样都在。",
      "<strong>没有谁去拆这个和。</strong>头的矩阵只听自己需要的方向，其余的由训练安排。",
      "<strong>正弦是尺子，旋转是更好的尺子。</strong>什么数都能给位置起名字，正弦还能说出相距多远；旋转也能，而且不碰词。",
    ],
    commands: [],
    idea: [],
    onward: [
      {
        href: "./adding.html",
        title: "第 5 章：为什么用加法？",
        summary: "自己动手拆和、调大小，看看改用拼接要付什么代价。",
      },
      {
        href: "./rotation.html",
        title: "第 4 章：走一步就是旋转",
        summary: "为什么一个矩阵就够走三步。",
      },
      {
        href: "./rope.html",
        title: "第 8 章：RoPE",
        summary: "旋转，从想法到代码。",
      },
      {
        href: "./babble.html",
        title: "另一篇：模型为什么会胡言乱语",
        summary: "过了训练时的最后一个位置，这一切会怎样。",
      },
    ],
  },
  sources: [
    {
      cite: "Vaswani 等，Attention Is All You Need，2017，第\u00A03.5\u00A0节",
      url: "https://arxiv.org/abs/1706.03762",
      note: "正弦编码；作者希望固定的偏移是它的线性函数。",
    },
    {
      cite: "Ke、He 与 Liu，Rethinking Positional Encoding in Language Pre-training（TUPE），2020",
      url: "https://arxiv.org/abs/2006.15595",
      note: "训练好的 BERT 里的四项，以及去掉交叉项的模型。",
    },
    {
      cite: "Wang 与 Chen，What Do Position Embeddings Learn?，2020",
      url: "https://arxiv.org/abs/2010.04903",
      note: "从 BERT、RoBERTa 和 GPT-2 的位置表里把位置读回来。",
    },
    {
      cite: "Su 等，RoFormer: Enhanced Transformer with Rotary Position Embedding，2021",
      url: "https://arxiv.org/abs/2104.09864",
      note: "用旋转代替相加。",
    },
  ],
};

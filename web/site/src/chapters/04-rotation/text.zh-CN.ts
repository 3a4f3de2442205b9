// 转出来的相对位置：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";

export const zhCN: typeof en = {
  question: "位置就是一排快慢不同的钟：把两个位置的钟逐只对照，<strong>看指针的夹角，就知道隔了多远</strong>。",
  idea: [
    "让两个词一起往后走。所有的指针都在跑，扇形却一个也不变：一只钟上两根指针差多少，只取决于这只钟的快慢和两个词的距离，和词站在哪里无关。",
    "所以“往后三个词”就是每只钟各转过一个固定的角度，在文本开头、末尾都一样。而两排指针有多一致，一个数就能量出来，这就是<em>点积</em>：把两个向量的数逐个相乘，再加起来。在一只钟上，它就是夹角的余弦：同向是 1，垂直是 0，反向是 −1。夹角只看距离，所以总和也只看距离。",
  ],
  apart: {
    heading: "距离相同，扇形就相同",
    paragraphs: [
      "一只钟就是位置向量里的两个数，即指针角度的正弦和余弦，合称<em>一对</em>。四对组成 8 维的向量；实际的模型有几百维，钟从快到极慢都有。",
    ],
    points: [
      "<em>把两个词拉远</em>：快的钟马上就对不上了，慢的钟要过很久。",
      "<em>把距离调成负数</em>：第二个词排到了前面。扇形就朝另一边张开。",
    ],
    figure: {
      title: "两个词，每只钟上两根指针",
      shows:
        "四只钟，编码的每一对数各一只。每只钟上，虚线指针属于第一个词，实线指针属于第二个词，中间是扇形；钟的下面是两根指针的一致程度，最下面是总和。",
      guide:
        "虚线指针：第一个词；实线指针：第二个词；中间的扇形就是两者差多少。钟下的横条：往右是指针一致，往左是指针相反。",
      start: "第一个词的位置 m",
      step: "第二个词靠后 k 个位置",
      walk: "一起往后走",
      stop: "停",
      first: "第一个词：位置 {position}",
      second: "第二个词：位置 {position}",
      clock: "第 {clock} 只钟",
      clockName: "钟",
      apart: "相差 {angle}",
      agreement: "指针的一致程度：",
      all: "合计",
    },
  },
  turn: {
    heading: "一个矩阵，挪动所有位置",
    paragraphs: [
      "神经网络里最基本的一步，是乘以一个<em>矩阵</em>，也就是一张数表；模型里的大多是学出来的，这一个却不用学。它能让所有指针都往后走 $k$ 步。它几乎全是零：每只钟只占对角线上 2 × 2 的一小块。把位置 $m$ 的向量记作 $\\mathrm{PE}(m)$，就有",
      "$$\\mathrm{PE}(m+k) = \\link{step}{T_k}\\, \\mathrm{PE}(\\link{start}{m})$$",
    ],
    predict: {
      question: "第一个词从位置 5 走到 205，第二个词仍在它后面三步。矩阵会怎样？",
      options: ["一点不变", "所有的数都变", "只有快的钟那几块变"],
      answer: 0,
      reveal: "拖动 $m$，指针跑起来，矩阵不动；拖动 $k$，矩阵才跟着转。矩阵里写的是走多远，不必知道从哪里出发。",
    },
    points: [
      "<em>最后两行色块</em>完全一致：一行是矩阵乘以 $\\mathrm{PE}(m)$，一行直接取自编码，差的只是 32 位浮点数的舍入。",
      "<em>$k$ 取负数</em>就是往回走。",
    ],
    why: [
      {
        title: "为什么是旋转？",
        paragraphs: [
          "第 $i$ 对是 $m\\omega_i$ 的正弦和余弦，转速 $\\omega_i = b^{-2i/d}$。记 $\\alpha = m\\omega_i$，$\\beta = k\\omega_i$。用两条中学公式展开，再写成矩阵：",
          "$$\\begin{aligned} \\sin(\\alpha + \\beta) &= \\cos\\beta\\,\\sin\\alpha + \\sin\\beta\\,\\cos\\alpha \\\\ \\cos(\\alpha + \\beta) &= -\\sin\\beta\\,\\sin\\alpha + \\cos\\beta\\,\\cos\\alpha \\\\ \\begin{bmatrix} \\sin(\\alpha+\\beta) \\\\ \\cos(\\alpha+\\beta) \\end{bmatrix} &= \\link{step}{\\begin{bmatrix} \\cos\\beta & \\sin\\beta \\\\ -\\sin\\beta & \\cos\\beta \\end{bmatrix}} \\begin{bmatrix} \\sin\\link{start}{\\alpha} \\\\ \\cos\\link{start}{\\alpha} \\end{bmatrix} \\end{aligned}$$",
          "<span data-link='start'>位置 $m$</span> 只出现在向量里，<span data-link='step'>步长 $k$</span> 只出现在矩阵里，这个矩阵记作 $R(\\beta)$。每一对一个这样的小块，依次摆在对角线上，就是 $T_k$：",
          "$$\\link{step}{T_k} = \\begin{bmatrix} R(k\\omega_0) & & \\\\ & \\ddots & \\\\ & & R(k\\omega_{d/2-1}) \\end{bmatrix}$$",
        ],
      },
      {
        title: "转速（频率）能不能也拿来训练？",
        paragraphs: [
          "可以，而且往后 $k$ 步仍然是旋转：上面的推导并没有用到 $\\omega_i$ 的公式。Wang 等人（2019）为每个词的每一维各学一个频率、一个振幅和一个初始角度。在 posenc 里，<code>fourier</code> 的频率就是可以训练的参数，它出自 Tancik 等人（2020）的随机傅里叶特征。最早的 Transformer 则把频率固定下来。极慢的钟为什么难训练，第 10 章会讲。",
        ],
      },
    ],
    figure: {
      title: "指针和矩阵",
      shows:
        "编码的每一对画成一个钟面，上面有位置 m 和位置 m + k 的指针；旁边用色块画出矩阵 T_k；下面是向量 PE(m)、T_k PE(m)、PE(m + k)，以及后两者之差。",
      start: "起点 m",
      step: "步长 k",
      dim: "维度数 d",
      base: "底数 b",
      clock: "第 {clock} 只钟",
      note: "转过 {angle}",
      matrix: "矩阵 $T_k$",
      matrixName: "矩阵 Tₖ",
      matrixLabel: "{dim} 行 {dim} 列的矩阵 Tₖ：对角线上是两行两列的小块，其余为零",
      from: "PE(m)",
      moved: "Tₖ PE(m)",
      to: "PE(m + k)",
      error: "Tₖ PE(m) 与 PE(m + k) 的最大差值：",
      dimension: "维度",
      vectors: "三个向量",
      caption:
        "虚线：位置 $m$ 的指针。实线：位置 $m + k$ 的指针。底数从 100 起步，而不是 10\u00A0000，好让慢的指针也看得出在动。",
    },
  },
  pairs: {
    heading: "总和随距离下降",
    paragraphs: [
      "现在把所有距离放在一起看。图中每行一只钟，每列一个距离。下面的曲线把各行加起来。总和随距离下降，但只是大致如此；要知道确切的距离，得把所有的扇形合起来看。",
    ],
    predict: {
      question: "前面第三个词和后面第三个词，哪一个的位置向量与当前词的点积更大？",
      options: ["前面第三个", "后面第三个", "一样大"],
      answer: 2,
      reveal: "整幅图左右对称：扇形朝左张开和朝右张开，大小是一样的。总和大致能说出相隔多远，说不出在哪一边。",
    },
    points: [
      "<em><span data-link='quick'>高频的对</span></em>（快的钟）造出中间的尖峰：它们分得清一个词和它的邻居，再远就什么也说不出了。",
      "<em><span data-link='slow'>低频的对</span></em>（慢的钟）造出宽阔的山丘。它们的曲线中间几乎是平的，因为分不清 3 和 4；往远处才慢慢降下来，所以分得清远近。这就是正弦编码的<em>远程衰减</em>。",
    ],
    why: [
      {
        title: "为什么总和只取决于距离？",
        paragraphs: [
          "把两个向量同样转一下，长度和夹角都不变，点积也就不变。写成公式，每一对贡献一个余弦：",
          "$$\\begin{aligned} \\mathrm{PE}(m)\\cdot\\mathrm{PE}(n) &= \\sum_i \\big(\\sin m\\omega_i \\sin n\\omega_i \\\\ &\\qquad\\; + \\cos m\\omega_i \\cos n\\omega_i\\big) \\\\ &= \\sum_i \\cos\\big((m-n)\\,\\omega_i\\big) \\end{aligned}$$",
          "左右对称，是因为 $\\cos(-x) = \\cos x$。",
        ],
      },
    ],
    figure: {
      title: "一对一对地看",
      shows: "热力图：每行一对，每列一个距离，颜色是这一对对点积的贡献；下面的曲线是全部各对、高频各对、低频各对之和。",
      guide:
        "行：一只钟，最快的在最上面（第 0 对就是第 1 只钟）。列：距离。暖色是指针一致，蓝色是指针相反。横线把快的对和慢的对隔开。",
      dim: "维度数 d",
      base: "底数 b",
      split: "高频的对：前",
      reach: "距离最大到",
      pair: "第几对",
      distance: "距离",
      read: "第 {pair} 对，距离 {distance}：{value}",
      map: "每一对在各个距离上的贡献",
      all: "全部",
      quick: "高频的对",
      slow: "低频的对",
      sum: "点积",
      curves: "点积随距离的变化：全部各对、高频的对、低频的对",
    },
  },
  direction: {
    heading: "点积分不出前后，头却可以学会",
    paragraphs: [
      "到这里，前面第三个词和后面第三个词看起来一样。注意力同时用好几种方式比较词，每一种叫一个<em>头</em>。头可以分出前后：先把两个词中的一个转动 $c$ 步，再来比较。头对位置所做的，就是在提问的词（<em>查询</em>）和被问的词（<em>键</em>）之间放一个学出来的矩阵。下面是三个这样的矩阵。",
    ],
    points: [
      "<em>单位矩阵</em>（什么也不改）：左右对称，每个位置最像自己。",
      "<em>转动 $c$ 步</em>：分数最高、颜色最重的斜线挪了位置，这个头在看靠前的第 $c$ 个词。在训练好的模型里，确实发现过专看前一个词的头。",
      "<em><span data-link='between'>随机矩阵</span></em>：注意力分数和站在哪里有关了。把位置加到输入里，头<em>可以</em>学会看见距离，却没有<em>保证</em>。第 8 章的 RoPE 直接转动查询和键，每个头就都看得见了。",
    ],
    why: [
      {
        title: "两者之间隔着什么？写成公式",
        paragraphs: [
          "头并不直接比较向量。提问的词先乘以一个学出来的矩阵，被问的词乘以另一个。查询是 $W_q\\,\\mathrm{PE}(m)$，键是 $W_k\\,\\mathrm{PE}(n)$，它们的点积中间是两个矩阵的乘积：",
          "$$\\mathrm{PE}(m)^{\\mathsf T}\\, \\link{between}{W_q^{\\mathsf T} W_k}\\, \\mathrm{PE}(n)$$",
          "如果它是转动 $T_c$，$m$ 和 $n$ 的分数就是 $m$ 和 $n + c$ 的点积，在 $n = m - c$ 处最高。要让每条对角线上只有一个值，这个矩阵必须不让各对互相串门，而且对每一对只做旋转（以及伸缩）。",
        ],
      },
    ],
    figure: {
      title: "查询和键之间隔着什么",
      shows:
        "中间放上所选的矩阵，画出所有位置两两之间分数的热力图，以及一个查询对所有键的分数曲线；另有两个度量：图像和镜像差多少，同一条对角线上的值差多少。",
      guide: "行：提问的词。列：被问的词。暖色越重，分数越高；蓝色小于 0。",
      between: "中间是",
      identity: "单位矩阵",
      turn: "转动 c 步",
      random: "随机矩阵",
      back: "看靠前的第 c 个词",
      seed: "第几个随机矩阵",
      query: "位置 m 的查询",
      key: "位置 n 的键",
      read: "查询在 {row}，键在 {column}（{distance}）：{value}",
      readRow: "键在 {column}（{distance}）：{value}",
      before: "靠前第 {steps} 个",
      after: "靠后第 {steps} 个",
      same: "自己",
      scores: "所有查询和键的分数",
      row: "位置 {row} 的查询的分数",
      rowLabel: "位置 {row} 的查询对各个位置的键的分数",
      score: "分数",
      highest: "位置 {row} 的查询分数最高的键在",
      highestKey: "{key}（{distance}）",
      mirror: "互为镜像的格子之间的最大差值",
      diagonal: "同一条对角线上的最大落差",
    },
  },
  compose: {
    heading: "步子可以相加",
    paragraphs: [
      "先走 $j$ 步，再走 $k$ 步，就是走了 $j + k$ 步。矩阵也是如此，因为转角可以相加：",
      "$$\\begin{aligned} T_j\\, T_k &= T_{j+k} \\\\ T_0 &= I \\\\ T_{-k} &= T_k^{-1} = T_k^{\\mathsf T} \\end{aligned}$$",
      "会走一步，就会走任意多步；往回走，用的是同一个矩阵，行列对调而已。",
    ],
    points: [
      "<em>走过去再走回来</em>：取 $k = -j$，乘积就是单位矩阵，对角线上全是 1，别处全是 0。",
      "<em>先后无所谓</em>：$T_j T_k = T_k T_j$，和在直线上走路一样。空间中的旋转一般不能交换顺序，这里可以，因为每一对都只在自己的平面里转。",
    ],
    figure: {
      title: "两步合成一步",
      shows: "三个矩阵的色块图：T_j、T_k 和它们的乘积；乘积与 T_(j + k) 作比较。",
      first: "第一步 j",
      second: "第二步 k",
      back: "走过去再走回来：k = −j",
      firstName: "Tⱼ，j = {step}",
      secondName: "Tₖ，k = {step}",
      productName: "Tⱼ Tₖ",
      error: "Tⱼ Tₖ 与走 j + k = {sum} 步的矩阵的最大差值：",
      label: "{name}：色块图",
      dimension: "维度",
    },
  },
  learn: {
    heading: "线性层学得会这个矩阵吗？",
    paragraphs: [
      "Transformer 的作者猜想，这种编码能让模型“轻松学会按相对位置去注意”。是不是这样，试试就知道。这里有一个随机的矩阵 $W$，我们给它看一些位置，要它答出往后 $k$ 步的位置。误差是 $W\\,\\mathrm{PE}(m) - \\mathrm{PE}(m+k)$ 的均方；训练 300 步，每一步都把各个数朝误差变小的方向挪一点（挪多少由优化器 Adam 给每个数分别决定）。",
      "没有人告诉 $W$ 什么是小块、正弦或旋转。训练完，再用它从没见过的位置 500 到 563 来考它。",
    ],
    points: [
      "<em>底数为 100 时</em>，它找到的并不是随便一个管用的矩阵，而是一格不差的 $T_k$，所以在位置 500 也答得对。",
      "<em>底数为 10 000 时</em>，训练过的地方答得不错，到了 500 就不行了。在 64 个位置里，慢的指针几乎没动，例子没有说明它们怎么转，这个层只好瞎编。在长上下文那一章，我们会再次碰到这个麻烦。",
      "<em>多给它看一些位置</em>，慢的指针就有更多时间露出马脚。",
    ],
    figure: {
      title: "就在这里训练",
      shows: "训练若干步之后这个层的权重，旁边是 T_k；下面的曲线是它在训练过的位置上和在位置 500 到 563 上的最大误差。",
      steps: "训练步数",
      play: "训练",
      again: "重新训练",
      step: "要学的步长 k",
      base: "底数 b",
      seen: "看过的位置：0 到",
      weights: "训练 {steps} 步后的 W",
      target: "Tₖ",
      weightsLabel: "训练 {steps} 步后这个层的权重，色块图",
      targetLabel: "矩阵 Tₖ 的色块图",
      trained: "在看过的位置上",
      far: "在位置 500～563 上",
      distance: "W 与 Tₖ 的最大差值",
      axis: "训练步数",
      error: "最大误差（对数）",
      curves: "这个层的最大误差随训练步数的变化",
      read: "训练 {steps} 步后：看过的位置上 {trained}，500～563 上 {far}；W 与 Tₖ 相差 {distance}",
      dimension: "维度",
    },
  },
  decay: {
    heading: "点积降得有多快？",
    paragraphs: [
      "把距离画在对数轴上，除了最初几步，曲线几乎是一条直线。波长从 $2\\pi$ 到 $2\\pi b$，按数量级均匀分布；距离每增大一个数量级，就有同样多的波长乱了步调。如果有足够多的对，距离又远大于 1、远小于 $b$，那么",
      "$$\\frac{\\mathrm{PE}(m)\\cdot\\mathrm{PE}(m+\\delta)}{d/2} \\approx 1 - \\frac{\\ln \\delta + 0.577}{\\ln b}$$",
      "（0.577 是欧拉常数。）$b = 10\\,000$ 时，距离每增大到十倍，高度就降掉四分之一，直线在 $\\delta \\approx 0.56\\,b$ 处降到零。所以底数决定这把尺子能量多远，$d$ 决定它有多平滑。",
    ],
    points: [
      "<em>比较底数</em>：几条线起点相同，斜率不同。底数越大，量得越远，区分邻居却越不灵敏。",
      "<em>比较维度</em>：斜率不变。只有 8 维时，一共只有四个余弦，线就上下乱跳。",
      "<em>很远的地方</em>，超过最长的波长以后，曲线在零附近游荡，还可能再升上来。那里的点积已经说明不了距离。",
    ],
    figure: {
      title: "对数刻度上的距离",
      shows: "点积除以它在距离 0 处的值，画在 1 到 1 000 000 的对数距离轴上：几种底数，或者几种维度数，各一条曲线。",
      vary: "比较",
      bases: "底数",
      dims: "维度",
      dim: "维度数 d",
      base: "底数 b",
      baseName: "b = {value}",
      entry: "{name}：{value}",
      dimName: "d = {value}",
      distance: "距离（对数）",
      value: "点积 / (d/2)",
      straight: "1 − (ln δ + 0.577) / ln b，b = {base}",
      curves: "点积随距离的变化",
      read: "距离 {distance}：{values}",
    },
  },
  code: {
    paragraphs: [
      "<code>shift(k)</code> 给出 $T_k$，每一对一个两行两列的小块；例子里自己动手把它们乘上去。<code>similarity</code> 让一张表的每一行和每一行做点积。",
    ],
  },
  quiz: [
    {
      question: "要写出矩阵 $T_3$，必须知道哪些数？",
      options: [
        { text: "出发的位置 $m$", why: "位置在矩阵所乘的向量里，从不在矩阵里。" },
        {
          text: "各对的频率，也就是 $d$ 和底数",
          why: "第 $i$ 块里是 $3\\omega_i$ 的正弦和余弦，而 $\\omega_i = b^{-2i/d}$。",
        },
        { text: "文本的长度", why: "编码和它的移位都与长度无关。" },
      ],
      answer: 1,
    },
    {
      question: "位置 10 和 14 的点积是某个数。下面哪一对位置的点积和它相同？",
      options: [
        { text: "10 和 18", why: "它们相隔 8。" },
        { text: "20 和 28", why: "位置加倍，距离也加倍，每个余弦里的角度都变成两倍。" },
        { text: "907 和 903", why: "相隔 4。在什么地方、谁先谁后，都没有关系。" },
        { text: "没有：每一对位置都有自己的点积", why: "把两个向量同样旋转，点积不变。" },
      ],
      answer: 2,
    },
    {
      question: "用正弦编码的头，怎样才能看前一个词？",
      options: [
        {
          text: "做不到，因为点积是对称的",
          why: "两个位置之间什么也不放，确实如此；放上一个学出来的矩阵，前后就分得开了。",
        },
        {
          text: "学会在比较之前，先把其中一个转动大约一步",
          why: "这样每个键就像站在往后一步的地方，和排在它后面的那个查询最合拍。",
        },
        { text: "需要掩码", why: "掩码遮住后文，却不会从前文里单单挑出一个词。" },
      ],
      answer: 1,
    },
  ],
  sources: [
    {
      cite: "Vaswani 等，Attention Is All You Need，2017，第\u00A03.5\u00A0节",
      url: "https://arxiv.org/abs/1706.03762",
      note: "这种编码的出处；并猜想相对位置容易学到，因为 PE(pos + k) 是 PE(pos) 的线性函数。",
    },
    {
      cite: "Yan、Deng、Li、Qiu，TENER: Adapting Transformer Encoder for Named Entity Recognition，2019，第\u00A03.2\u00A0节",
      url: "https://arxiv.org/abs/1911.04474",
      note: "点积只取决于距离、没有方向，以及投影对它的影响。",
    },
    {
      cite: "Clark、Khandelwal、Levy、Manning，What Does BERT Look At?，2019，第\u00A03.1\u00A0节",
      url: "https://arxiv.org/abs/1906.04341",
      note: "专看前一个或后一个词元的头。BERT 的位置是学出来的，不是正弦编码。",
    },
    {
      cite: "Chi、Fan、Rudnicky、Ramadge，Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis，2022",
      url: "https://arxiv.org/abs/2212.10356",
      note: "Sandwich：把正弦位置的点积直接用作注意力偏置。",
    },
    {
      cite: "Su 等，RoFormer: Enhanced Transformer with Rotary Position Embedding，2021",
      url: "https://arxiv.org/abs/2104.09864",
      note: "同样的旋转，用在查询和键上。",
    },
    {
      cite: "Wang 等，Encoding Word Order in Complex Embeddings，2019",
      url: "https://arxiv.org/abs/1912.12333",
      note: "频率可学习的正弦，每个词的每一维各一个。",
    },
    {
      cite: "Tancik 等，Fourier Features Let Networks Learn High Frequency Functions in Low Dimensional Domains，2020",
      url: "https://arxiv.org/abs/2006.10739",
      note: "坐标的正弦，频率随机。",
    },
  ],
};

// 在这台机器上有多快：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";

export const zhCN: typeof en = {
  question: "这门课里几乎每一幅图，都是在你拖动滑块的时候现算的。它在<strong>你这台</strong>机器上有多快，又为什么快？",
  idea: [
    "位置就是一排钟，总得有人去拨。4096 个词，每个词 64 只钟，一共二十六万多根指针；模型的每一层，还要按这些钟去旋转所有的查询和键。按下按钮：posenc（本教程背后的开源库）和普通的 JavaScript 做同样的工作，条形表示速度是普通 JavaScript 的几倍。",
    "又快又准，靠三招：<em>少算正弦</em>：绝大多数指针是由少数几个拼出来的。<em>角度精确</em>：这少数几个用很多位数来算，最后才舍入。<em>四条通道</em>：一条指令同时处理四个数。",
  ],
  race: {
    heading: "赛跑",
    paragraphs: [
      "赛跑在后台进行，机器空闲时要等几秒，忙时更久；全部选手都上场，就要好几倍的时间。每个选手算出的数先要和库的结果对照：算得不一样的不计时。",
    ],
    points: [
      "<em>倍数比毫秒可靠。</em>连跑两次看看：毫秒数会随机器的温度、电量和同时打开的程序而变；倍数变化小得多，因为选手们是轮流上场的。",
      "<em>不是每项工作都同样得益。</em>要算的多，比如注意力，posenc 应该遥遥领先；只需把数写进内存的，比如 ALiBi 的偏置，普通的 JavaScript 就差不多跟得上：复制正是浏览器最拿手的。",
    ],
    why: [
      {
        title: "是怎么测的？",
        paragraphs: [
          "浏览器先解释执行 JavaScript，后来才编译，所以每个选手都先跑到不再变快为止，然后才计时。接着大家轮流上场，一轮正序、一轮倒序，这样机器一时忙碌，影响的是所有选手。条形的长度是各轮的中位数，细线覆盖中间一半的轮次。细线很长，说明机器正忙着别的事：再跑一次。",
          "GPU 在其他选手之后单独跑：调用返回时 GPU 还没有算完，所以时钟要等到它做完这一轮的全部调用。它的数早已在那里，也一直留在那里。有些浏览器用一个程序代替 GPU，就是软件适配器：它的结果照样核对，但它的时间什么也说明不了。",
          "数据表中的“最大差值”是与所用版本相比，大于 1 的数按相对差计。三个版本的每一种编码都逐位相同，只有注意力里的长求和可能舍入得不一样。",
        ],
      },
      {
        title: "“全部选手”有哪些？",
        paragraphs: [
          "posenc 的同一份源码编译成三个版本：<em>标量版</em>（一次一个数）、<em>SIMD 版</em>（一次四个）和<em>宽松 SIMD 版</em>（relaxed SIMD，一次四个，而且在处理器支持时把乘和加并成一步）。网页会选用你的浏览器能运行的最快的一个。“极限”是任何程序在这里都超不过的：内存的速度，或者单纯的运算。",
          "“数组进出”是同一个版本在普通的 <code>Float32Array</code> 上工作，数据要复制进库的内存、再复制出来。对注意力来说这不算什么，对一次旋转来说却占了大部分时间。<code>pe.tensor</code> 让数据一直留在里面。",
          "普通的 JavaScript 我们也尽力写好了。在 RoPE 和加上正弦编码这两项里，它的表在开始计时之前就准备好了，posenc 则每次调用都重新计算。",
        ],
      },
    ],
    figure: {
      title: "这台机器上的 posenc 与普通 JavaScript",
      shows:
        "五项工作各有一组条形：普通 JavaScript，posenc 的标量版、SIMD 版和宽松 SIMD 版，posenc 处理需要复制的数组，posenc 在 GPU 上，以及机器的极限。",
      start: "开始赛跑",
      again: "再跑一次",
      running: "正在测量",
      size: "工作规模",
      sizes: { usual: "常用", small: "小", tiny: "极小" },
      view: "条形表示",
      views: { ratio: "速度是普通 JavaScript 的几倍", time: "每次调用的毫秒数" },
      all: "全部选手",
      ours: "posenc",
      waiting: "还没有测量",
      notStarted: "还没有测量。",
      cancelled: "已停止，图中是已经完成的部分。",
      cases: {
        rope: "RoPE，原地旋转",
        tables: "余弦和正弦表",
        sinusoidal: "加上正弦编码",
        alibi: "ALiBi 偏置",
        attention: "因果注意力",
      },
      plainly: {
        rope: "把一层的查询各按位置旋转",
        tables: "每个位置的钟的指针",
        sinusoidal: "给每个词加上它的位置",
        alibi: "给每一对词定一个价钱",
        attention: "每个词权衡它前面所有的词",
      },
      notes: {
        rope: "q [{size}]，JavaScript 的表已备好",
        tables: "[{size}]，每次重新计算",
        sinusoidal: "x [{size}] += 表",
        alibi: "[{size}]，每次重新计算",
        attention: "头 × 词 × 宽度 [{size}]",
      },
      ways: {
        plain: "普通 JavaScript",
        sums: "…… 用和角公式",
        scalar: "posenc 标量版",
        simd: "posenc SIMD",
        relaxed: "posenc 宽松 SIMD",
        arrays: "…… 数组进出",
        webgpu: "GPU 上的 posenc",
        limit: "极限",
      },
      limits: {
        multiply: "极限：原地乘",
        fill: "极限：填满内存",
        peak: "极限：只有运算",
      },
      refused: "此处无法运行",
      refusedNote: "这个浏览器不能运行 {variants} 版：它的引擎不认识这些指令。",
      noGpu: "此处没有 WebGPU",
      softwareGpu: "软件适配器：不计时",
      wrong: "结果不同：不计时",
      nothing: "无须比较",
      machine: "浏览器提供的信息",
      processors: "处理器数",
      variant: "所用版本",
      clock: "时钟步长",
      memory: "内存（至少）",
      gpu: "GPU",
      clockValue: "{step} 毫秒",
      memoryValue: "{memory} GB",
      unknown: "没有提供",
      table: "{name}，[{size}]",
      way: "选手",
      median: "中位数，毫秒",
      low: "下四分位数，毫秒",
      high: "上四分位数，毫秒",
      ratio: "速度是普通 JS 的几倍",
      rate: "速率，{unit}",
      difference: "最大差值",
      units: { "GB/s": "GB/s", ns: "每个数的纳秒数", "GFLOP/s": "GFLOP/s" },
    },
  },
  sums: {
    heading: "少算正弦，角度精确",
    paragraphs: [
      "一根指针就是一个余弦和一个正弦，而这两样算起来很慢。好在旋转可以相加：一只钟先走 2000、再走 500，和一下子走 2500 停在同一处。posenc 把位置写成几位数字，就像我们写百位、十位、个位，只不过逢 32 进一：$m = 1024\\,h + 32\\,t + u$。只对每一位可能的值真正去算正弦，其余都由它们拼出来。",
    ],
    predict: {
      question: "一张表有 4096 个位置，每个位置一行。其中有多少行真正计算了正弦？",
      options: ["4096", "1024", "68"],
      answer: 2,
      reveal:
        "好比个位有 32 种，十位有 32 种，百位有 4 种，32 + 32 + 4 = 68。其余各行都由它们拼出来，每根指针只要四次乘法。在图里把表加长，看看这个比例怎样变小。",
    },
    figure: {
      title: "位置分成数字，旋转分成几段",
      shows: "三个表盘对应位置的三个数字，第四个表盘是它们合在一起，旁边有余弦和正弦，以及一张表需要多少行真正的正弦。",
      position: "位置 m",
      pair: "第 k 对（共 32 对）",
      length: "表的行数",
      hundreds: "1024 · {digit}",
      tens: "32 · {digit}",
      ones: "{digit}",
      together: "位置 {position}",
      hand: "cos {cos}，sin {sin}",
      compare: "拼出来的：cos {cos}，sin {sin}。表里的：cos {exactCos}，sin {exactSin}。差值：{difference}。",
      rows: "{length} 行的表需要 {exact} 行真正的正弦和余弦，占全部的 {share}。",
      table: "第 {pair} 对的旋转",
      part: "部分",
      cos: "cos",
      sin: "sin",
      summed: "拼出来的",
      direct: "表里的",
    },
    points: [
      "<em>前三个表盘</em>是位置的三位数字（每一位从 0 到 31），第四个是它们合在一起。",
      "<em>拼出来的</em>和<em>表里的</em>约有七位有效数字相同，32 位浮点数的精度也就这么多。各位数字的角度用的位数多一倍，最后才舍入。要是先舍入角度，文本长了就会出错：错在哪里，见<a href='./long-context.html#precision'>长上下文</a>一章的“一百万个词元和 32 位”。",
    ],
    why: [
      {
        title: "两次旋转怎样合成一次？",
        paragraphs: [
          "知道转 $a$ 是什么样、转 $b$ 是什么样，就知道转 $a + b$ 是什么样，只要四次乘法：",
          "$$\\begin{aligned} \\cos(a + b) &= \\link{coarse}{\\cos a}\\,\\link{fine}{\\cos b} - \\link{coarse}{\\sin a}\\,\\link{fine}{\\sin b} \\\\ \\sin(a + b) &= \\link{coarse}{\\sin a}\\,\\link{fine}{\\cos b} + \\link{coarse}{\\cos a}\\,\\link{fine}{\\sin b} \\end{aligned}$$",
          "结果是最接近真值的 float32 数，或与它相邻的那一个。赛跑里的“用和角公式”是用了同一个想法的普通 JavaScript。好方法带来的提升和 SIMD 差不多：先有想法，再有指令。",
        ],
      },
      {
        title: "正弦为什么算得慢？",
        paragraphs: [
          "WebAssembly 没有计算 $\\sin$ 的指令。数学库要先从角度里去掉整圈，所用的位数比角度本身还多，再把余下的部分代入多项式：在普通 JavaScript 里每个数大约十纳秒。一张 $4096 \\times 128$ 的表有五十多万个数。",
        ],
      },
    ],
  },
  lanes: {
    heading: "一条指令，四个数",
    paragraphs: [
      "普通的 JavaScript 一次只处理一个数。近十五年来几乎所有的处理器都能做得更多：四个数并排放着，一条指令同时乘四个，这叫 <em>SIMD</em>（单指令多数据）。WebAssembly 可以用上它。图里要拨八只钟，一边一次一只，一边一次四只。一步一步走走看。",
    ],
    predict: {
      question: "一条指令处理四个数，是不是所有的工作都快四倍？",
      options: ["是", "不是"],
      answer: 1,
      reveal:
        "只有由计算决定快慢的工作才会。由内存决定快慢时，四条通道都在等数据：ALiBi 偏置几乎没有变快。下面“通往内存的路”一节可以测。",
    },
    figure: {
      title: "一次一只钟，一次四只钟",
      guide: "每一列是一对数：x₁、x₂ 按它的 cos 和 sin 旋转，得到 y₁、y₂。",
      shows: "八对数和它们的余弦、正弦，以及两个版本走过若干步之后的结果。标量版每步完成一对，SIMD 版每步完成四对。",
      step: "已走的步数",
      position: "位置 m",
      scalar: "标量：每步一对",
      simd: "SIMD：每步四对",
      done: "{all} 对中完成了 {done} 对，用了 {instructions} 条指令",
      rows: { first: "x₁", second: "x₂", cosine: "cos", sine: "sin", low: "y₁", high: "y₂" },
      pair: "对",
      table: "位置 {position} 处的八对数",
      one: "走一步",
      restart: "从头开始",
    },
    points: ["两步之后 SIMD 就做完了，一次一个要走八步。两者得到的数逐位相同：一条通道做的事和单个指令完全一样。"],
    why: [
      {
        title: "是哪六条指令？",
        paragraphs: [
          "RoPE 把每一对数各转一个角度：",
          "$$\\begin{aligned} y_1 &= \\link{first}{x_1}\\,\\link{cosine}{c} - \\link{second}{x_2}\\,\\link{sine}{s} \\\\ y_2 &= \\link{first}{x_1}\\,\\link{sine}{s} + \\link{second}{x_2}\\,\\link{cosine}{c} \\end{aligned}$$",
          "四次乘法、一次减法、一次加法。采用对半式（half）排列时，四个 <span data-link='first'>$x_1$</span> 在内存里紧挨着，四个 <span data-link='second'>$x_2$</span>、<span data-link='cosine'>余弦</span>和<span data-link='sine'>正弦</span>也一样。",
        ],
      },
      {
        title: "宽松 SIMD 宽松在哪里？",
        paragraphs: [
          "它多了一条把乘和加合在一起的指令。它舍入一次还是两次要看处理器，所以不同机器上结果的最后一位可能不同。posenc 只在注意力的点积里用它；各种编码在哪里都一模一样。",
        ],
      },
    ],
  },
  memory: {
    heading: "通往内存的路",
    paragraphs: [
      "原地旋转要把每个数读一次、写一次。运算再巧妙，也要等全部 $V$ 个字节以每秒 $B$ 字节的速度走完：",
      "$$t \\;\\ge\\; \\frac{\\link{bytes}{V}}{\\link{bandwidth}{B}}$$",
      "<span data-link='bandwidth'>$B$</span> 有多大？下图把一块缓冲区原地乘以一个非常接近 1 的数，一次四个：这是能碰到全部数据的最少的工作。它还把缓冲区的一半复制到另一半，用的是浏览器自己的复制；再让 posenc 旋转同样大小的一块缓冲区，<span data-link='bytes'>$V$ 也相同</span>。这里取几轮中最好的一轮：没有什么能让内存比它本来更快，让它变慢的原因却很多。",
    ],
    points: [
      "曲线有<em>台阶</em>。小的缓冲区一直留在处理器核心旁边的缓存里，大的必须来自主内存，而主内存要慢好几倍。台阶在哪里，就是你的处理器的画像。",
      "posenc 的线接近原地乘的地方，旋转等于不花时间：六次运算藏在等待内存的时间里。最左边看得见调用本身的开销，大约一微秒。",
      "普通 JavaScript 是远在下方、几乎水平的一条线。一次一个数，它很难快到让内存成为瓶颈。",
    ],
    figure: {
      title: "每秒多少吉字节，与缓冲区大小的关系",
      shows: "每秒读写的字节数随缓冲区大小的变化：用 SIMD 原地乘、复制、posenc 的旋转，以及用普通 JavaScript 原地乘。",
      start: "测量内存",
      again: "再测一次",
      running: "正在测量",
      size: "最大的缓冲区",
      sizes: { usual: "64 MB", small: "8 MB", tiny: "64 KB" },
      xLabel: "缓冲区的字节数",
      yLabel: "GB/s",
      streams: {
        multiply: "原地乘，SIMD",
        copy: "复制",
        rope: "posenc：原地做 RoPE",
        plain: "原地乘，普通 JavaScript",
      },
      chart: "每秒吉字节数随缓冲区字节数的变化",
      read: "{size}：{values}",
      notStarted: "还没有测量。",
      notYet: "还没有测量",
      notHere: "需要 SIMD",
      noSimd: "这个浏览器没有 SIMD，量不出机器本身的极限。",
      table: "每秒读写的吉字节数",
      buffer: "缓冲区",
    },
  },
  code: {
    paragraphs: [
      "同一个旋转，分别作用于库内存里的数和普通的数组：结果相同，复制更少。时间每次运行都不同，所以写到错误流里：请多测几次，取中位数。",
    ],
  },
  quiz: [
    {
      question: "SIMD 一条指令处理四个数。为什么 ALiBi 偏置几乎没有因此变快？",
      options: [
        {
          text: "ALiBi 用到了 SIMD 无法表示的数。",
          why: "它的偏置就是普通的 32 位数，一个寄存器放四个。",
        },
        {
          text: "把偏置写进内存比算出它更费时间。",
          why: "每个数一次乘法算不了什么，要写出去的却有好几兆字节。对照极限那一条：单是用一个常数填满这块内存，就要花去其中不小的一部分时间。",
        },
        {
          text: "浏览器遇到大数组会关闭 SIMD。",
          why: "没有这样的规则。指令照常执行，只是在等内存。",
        },
      ],
      answer: 1,
    },
    {
      question: "你跑了两次，posenc 的时间从 0.5 毫秒变成了 0.8 毫秒。这说明什么？",
      options: [
        {
          text: "第二次测错了。",
          why: "两次都对：机器的状态不一样了。主频、别的程序和温度每一秒都在变。",
        },
        {
          text: "posenc 变慢了。",
          why: "单凭这个数还不能这么说。看看同一次里的普通 JavaScript：它多半也变慢了。",
        },
        {
          text: "应该比较与普通 JavaScript 的倍数，它们在同一次里是轮流上场的。",
          why: "拖慢机器的东西会同时拖慢两者。一次赛跑里的倍数，比两次赛跑的时间更能说明问题。",
        },
      ],
      answer: 2,
    },
    {
      question: "为什么要先核对结果，再计时？",
      options: [
        {
          text: "因为算得快却算了别的东西，不算对手。",
          why: "漏掉最后一行、或者转错了配对的循环，很可能更快。不能让它赢。",
        },
        {
          text: "为了让引擎热身。",
          why: "顺带也有这个效果，不过热身另有专门的几轮。",
        },
        {
          text: "因为 SIMD 会算出不同的数。",
          why: "对各种编码，它给出的每一位都相同；如果不同，核对就会发现。",
        },
      ],
      answer: 0,
    },
  ],
  sources: [
    {
      cite: "WebAssembly Community Group，Fixed-width SIMD proposal (128-bit vectors)",
      url: "https://github.com/WebAssembly/simd/blob/main/proposals/simd/SIMD.md",
      note: "SIMD 版所用的指令，已成为 WebAssembly 2.0 的一部分。",
    },
    {
      cite: "WebAssembly Community Group，Relaxed SIMD proposal",
      url: "https://github.com/WebAssembly/relaxed-simd/blob/main/proposals/relaxed-simd/Overview.md",
      note: "乘加合一，舍入一次还是两次由处理器决定；已成为 WebAssembly 3.0 的一部分。",
    },
    {
      cite: "Williams、Waterman、Patterson，Roofline: an insightful visual performance model for multicore architectures，2009，Communications of the ACM 52(4)",
      url: "https://doi.org/10.1145/1498765.1498785",
      note: "运算还是带宽：是哪一个限制了一项工作。",
    },
    {
      cite: "Payne、Hanek，Radian reduction for trigonometric functions，1983，ACM SIGNUM Newsletter 18(1)",
      url: "https://doi.org/10.1145/1057600.1057602",
      note: "怎样从角度里去掉整圈而不丢失有效数字。",
    },
    {
      cite: "Su 等，RoFormer: Enhanced Transformer with Rotary Position Embedding，2021，arXiv:2104.09864，第 3.4.2 节",
      url: "https://arxiv.org/abs/2104.09864",
      note: "不用矩阵，而用余弦和正弦两个向量的乘积来实现旋转（公式 34）。",
    },
    {
      cite: "Dao 等，FlashAttention，2022，arXiv:2205.14135",
      url: "https://arxiv.org/abs/2205.14135",
      note: "分块计算注意力，内存里没有完整的分数矩阵；posenc 的注意力也是这样。",
    },
    {
      cite: "W3C，High Resolution Time，“Clock resolution”",
      url: "https://www.w3.org/TR/hr-time-3/#clock-resolution",
      note: "浏览器的时钟为什么走得粗，样本为什么要足够长。",
    },
  ],
};

// 在这台机器上有多快：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";

export const zhCN: typeof en = {
  question:
    "这门课里的每一幅图，都是在你拖动滑块的时候现算的。在<strong>你这台</strong>机器上究竟有多快？又是什么让它不能更快？",
  idea: [
    "位置编码是“算得少、数据多”的活儿。RoPE 对每一对数只做六次运算，可是一个模型里有几百万对数。这类工作的快慢由两件事决定：处理器<em>一条指令</em>能处理几个数，以及内存多快能把后面的数送过来。",
    "普通的 JavaScript 一次只处理一个数。WebAssembly 可以使用近十五年来几乎所有处理器都有的向量指令，即 <em>SIMD</em>（单指令多数据）：四个 32 位的数并排放在一个寄存器里，一次乘法同时乘四个。",
    "posenc 的同一份源码编译成三个版本：<em>标量版</em>（一次一个数）、<em>SIMD 版</em>（一次四个）和<em>宽松 SIMD 版</em>（relaxed SIMD，一次四个，而且在处理器支持时把乘和加并成一步）。网页会选用你的浏览器能运行的最快的一个。下面让它们互相赛跑，也和我们尽力写好的普通 JavaScript 赛跑。",
  ],
  race: {
    heading: "赛跑",
    paragraphs: [
      "五项工作，都取常见的规模。每个选手算出的数先要和库的结果对照：算得不一样的不计时。然后大家轮流上场，一轮正序、一轮倒序，这样机器一时忙碌，影响的是所有选手。条形的长度是各轮的中位数，细线覆盖中间一半的轮次。",
      "赛跑在 worker 里进行，要几秒钟；它不会自己开始。",
    ],
    points: [
      "<em>倍数比毫秒可靠。</em>连跑两次看看：毫秒数会随机器的温度、电量和同时打开的程序而变；同一次赛跑里的倍数变化小得多，因为选手们是轮流上场的。细线很长，说明机器正忙着别的事：再跑一次。",
      "<em>四条通道不等于快四倍。</em>由计算决定快慢时（注意力），SIMD 版把标量版远远甩在后面；由内存决定快慢时（ALiBi 偏置），几乎没有差别：通道都在等数据。",
      "<em>复制是有代价的。</em>“数组进出”是同一个版本在普通的 <code>Float32Array</code> 上工作，数据要复制进库的内存、再复制出来。对注意力来说这不算什么，对一次旋转来说却占了大部分时间。<code>pe.tensor</code> 让数据一直留在里面。",
      "<em>普通的 JavaScript 是个好对手。</em>它的 ALiBi 每一行都是从一条长线上复制一段，而复制正是浏览器最拿手的，所以在这里它和 posenc 打成平手，甚至领先。它的正弦表在开始计时之前就准备好了，posenc 则每次调用都重新计算。",
    ],
    figure: {
      title: "这台机器上的 posenc 与普通 JavaScript",
      shows:
        "五项工作各有一组条形：普通 JavaScript，posenc 的标量版、SIMD 版和宽松 SIMD 版，posenc 处理需要复制的数组，以及机器的极限。",
      start: "开始赛跑",
      again: "再跑一次",
      running: "正在测量",
      size: "工作规模",
      sizes: { usual: "常用", small: "小", tiny: "极小" },
      view: "条形表示",
      views: { ratio: "是普通 JavaScript 的几倍快", time: "每次调用的毫秒数" },
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
        limit: "极限",
      },
      limits: {
        multiply: "极限：原地乘",
        fill: "极限：填满内存",
        peak: "极限：只有运算",
      },
      refused: "此处无法运行",
      refusedNote: "这个浏览器不能运行 {variants} 版：它的引擎不认识这些指令。",
      wrong: "结果不同：不计时",
      machine: "浏览器提供的信息",
      processors: "处理器数",
      variant: "所用版本",
      clock: "时钟步长",
      memory: "内存（至少）",
      clockValue: "{step} 毫秒",
      memoryValue: "{memory} GB",
      unknown: "没有提供",
      table: "{name}，[{size}]",
      way: "选手",
      median: "中位数，毫秒",
      low: "下四分位数，毫秒",
      high: "上四分位数，毫秒",
      ratio: "是普通 JS 的几倍",
      rate: "速率，{unit}",
      difference: "最大差值",
      units: { "GB/s": "GB/s", ns: "每个数的纳秒数", "GFLOP/s": "GFLOP/s" },
      caption:
        "数据表中的“最大差值”是与所用版本相比，大于 1 的数按相对差计。三个版本的每一种编码都逐位相同，只有注意力里的长求和可能舍入得不一样。",
    },
  },
  lanes: {
    heading: "一条指令，四个数",
    paragraphs: [
      "取一个查询里的八对数。RoPE 把每一对各转一个角度：",
      "$$\\begin{aligned} y_1 &= \\link{first}{x_1}\\,\\link{cosine}{c} - \\link{second}{x_2}\\,\\link{sine}{s} \\\\ y_2 &= \\link{first}{x_1}\\,\\link{sine}{s} + \\link{second}{x_2}\\,\\link{cosine}{c} \\end{aligned}$$",
      "四次乘法、一次减法、一次加法。标量版先为一对数做完，再做下一对。SIMD 版用同样的六条指令一次处理四对：采用“half”排列时，四个 <span data-link='first'>$x_1$</span> 在内存里紧挨着，四个 <span data-link='second'>$x_2$</span>、<span data-link='cosine'>余弦</span>和<span data-link='sine'>正弦</span>也一样。一步一步走走看。",
    ],
    points: [
      "两步之后 SIMD 版就做完了，标量版要走八步。两者得到的数逐位相同：一条通道做的事和标量指令完全一样。",
      "<em>宽松</em> SIMD 多了一条把乘和加合在一起的指令。它舍入一次还是两次要看处理器，所以不同机器上结果的最后一位可能不同。posenc 只在注意力的点积里用它；各种编码在哪里都一模一样。",
    ],
    figure: {
      title: "一次一对，一次四对",
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
      noSimd: "这个浏览器没有 SIMD，量不出机器本身的极限。",
      table: "每秒读写的吉字节数",
      buffer: "缓冲区",
    },
  },
  sums: {
    heading: "精确的正弦，便宜的办法",
    paragraphs: [
      "余弦和正弦表是另一类工作：字节少，运算多。$\\sin$ 并不是处理器的一条指令。数学库要先从角度里去掉整圈，所用的位数比角度本身还多，再把余下的部分代入多项式：在普通 JavaScript 里每个数大约十纳秒。一张 $4096 \\times 128$ 的表有五十多万个数。",
      "好在旋转可以相加。知道转 $a$ 是什么样、转 $b$ 是什么样，就知道转 $a + b$ 是什么样，只要四次乘法：",
      "$$\\cos(a + b) = \\link{coarse}{\\cos a}\\,\\link{fine}{\\cos b} - \\link{coarse}{\\sin a}\\,\\link{fine}{\\sin b}$$",
      "posenc 把位置写成 32 进制的数字，就像我们写百位、十位、个位：$m = 1024\\,h + 32\\,t + u$。它只为每个<em>数字</em>真正计算正弦和余弦，用双精度，其余的都由它们拼出来。最后才舍入到 32 位，拼合时损失的那一点也就看不见了。",
    ],
    points: [
      "4096 个位置的表只需要 $32 + 32 + 4 = 68$ 行真正的正弦。其余各行每个数只要四次乘法，而且走的是 SIMD。",
      "结果是最接近真值的 float32 数，或与它相邻的那一个。如果一开始就用 float32 算角度，早就错了：错在哪里，见<em>长上下文</em>一章。",
      "赛跑里的“用和角公式”是用了同一个想法的普通 JavaScript。好方法带来的提升和 SIMD 差不多：先有想法，再有指令。",
    ],
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
  },
  code: {
    paragraphs: [
      "同一个旋转，分别作用于库内存里的数和普通的数组：结果相同，复制更少。时间写到错误流里，因为它每次运行都不同，你的也一样。请多测几次，取中位数。",
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
      cite: "WebAssembly Community Group, Fixed-width SIMD proposal (128-bit vectors)",
      url: "https://github.com/WebAssembly/simd/blob/main/proposals/simd/SIMD.md",
      note: " SIMD 版所用的指令，已成为 WebAssembly 2.0 的一部分。",
    },
    {
      cite: "WebAssembly Community Group, Relaxed SIMD proposal",
      url: "https://github.com/WebAssembly/relaxed-simd/blob/main/proposals/relaxed-simd/Overview.md",
      note: " 乘加合一，舍入一次还是两次由处理器决定；已成为 WebAssembly 3.0 的一部分。",
    },
    {
      cite: "Williams, Waterman, Patterson, Roofline: an insightful visual performance model for multicore architectures, 2009, Communications of the ACM 52(4)",
      url: "https://doi.org/10.1145/1498765.1498785",
      note: " 运算还是带宽：是哪一个限制了一项工作。",
    },
    {
      cite: "Payne, Hanek, Radian reduction for trigonometric functions, 1983, ACM SIGNUM Newsletter 18(1)",
      url: "https://doi.org/10.1145/1057600.1057602",
      note: " 怎样从角度里去掉整圈而不丢失有效数字。",
    },
    {
      cite: "Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding, 2021, arXiv:2104.09864, section 3.4.2",
      url: "https://arxiv.org/abs/2104.09864",
      note: " 不用矩阵，而用余弦和正弦两个向量的乘积来实现旋转（公式 34）。",
    },
    {
      cite: "Dao et al., FlashAttention, 2022, arXiv:2205.14135",
      url: "https://arxiv.org/abs/2205.14135",
      note: " 分块计算注意力，内存里没有完整的得分矩阵；posenc 的注意力也是这样。",
    },
    {
      cite: "W3C, High Resolution Time, “Clock resolution”",
      url: "https://www.w3.org/TR/hr-time-3/#dfn-coarsen-time",
      note: " 浏览器的时钟为什么走得粗，样本为什么要足够长。",
    },
  ],
};

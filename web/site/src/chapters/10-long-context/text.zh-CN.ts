// 长上下文一章：简体中文。
import type { en } from "./text.en.ts";
import { arenaZhCN } from "./text.arena-zh-CN.ts";
import { digitsZhCN } from "./text.digits-zh-CN.ts";
import { farZhCN } from "./text.far-zh-CN.ts";
import { shaderZhCN } from "./text.shader-zh-CN.ts";
import { learnersZhCN } from "./text.learners-zh-CN.ts";
import { needleZhCN } from "./text.needle-zh-CN.ts";

export const zhCN: typeof en = {
  question:
    "这些模型都只在 256 个字符的文本上训练过。现在让它们读 16 倍长的文本：谁还读得下去，谁还<strong>记得住</strong>？",
  idea: [
    "RoPE 用一排快慢不同的钟的指针来记位置。一出训练过的 256 个字符，它就乱了：<strong>慢的钟走到了训练时从没指过的角度</strong>；快的钟早就什么角度都指过。所以 <em>YaRN</em> 这类规则只放慢慢的钟，快的照走；<em>SelfExtend</em> 则把远的当作近的来数。超出训练长度还能接着读，叫<em>长度外推</em>。",
    "可是损失低，又说明什么？到 1024 个字符为止，<em>滑动窗口</em>和 SelfExtend 的损失几乎一样。可是 256 个字符以前的密码，窗口一点也找不到，因为它根本不往那里看。<strong>猜得准，不等于记得远。</strong>",
  ],
  arena: arenaZhCN,
  needle: needleZhCN,
  unseen: {
    heading: "钟走到了没见过的地方",
    paragraphs: [
      "位置就是一排快慢不同的钟：把两个位置的钟逐只对照，看指针的夹角，就知道隔了多远。RoPE 让每一对数跟着一只钟转。这里换一个大些的模型，它用 4096 个词元的文本训练（词元是词或词的一部分，擂台上的模型数的是字符）。现在有两个词相隔 9000。",
    ],
    predict: {
      question: "哪些钟指着训练时从没指过的角度？",
      options: ["快的", "慢的", "所有的"],
      answer: 1,
      reveal: "快的钟在每篇训练文本里都转了几百圈，什么角度都指过；慢的钟从没转完一圈。",
    },
    points: [
      "<em>着色的扇形</em>是这只钟在训练中指过的地方。慢的指针走出扇形，指向训练时从没出现过的角度。让模型失灵的正是它们，虽然快的转得远得多。",
      "<em>选一条规则</em>，慢的指针就回来了。",
    ],
    why: [
      {
        title: "一只钟转多少圈？",
        paragraphs: [
          "在 $L_0$ 个词元的训练文本里，波长为 $\\lambda_i = 2\\pi/\\theta_i$ 的第 $i$ 对转这么多圈；不到 1 圈，就只见过圆的一部分：",
          "$$\\link{turns}{r_i} = \\frac{L_0}{\\lambda_i} = \\frac{L_0\\,\\theta_i}{2\\pi}$$",
        ],
      },
      {
        title: "分数的曲线为什么看上去那么太平？",
        paragraphs: [
          "这条曲线折叠在钟面下面。它只是所有对的平均，不会有什么意外。模型的注意力分数却不是平均：它的权重是让慢的那些对在见过的扇形里互相抵消的。Chen 等人演示了分数怎样一出扇形就暴涨，并证明插值时的上界只有外推上界的约 1/600。位置插值的曲线就是训练时的那条，横向拉长了；YaRN 的起点更高，因为它让注意力更集中。",
        ],
      },
    ],
    figure: {
      title: "见过的和没见过的角度",
      shows: "六个钟面，画出训练中见过的扇形和当前角度的指针；下面折叠着相同向量的分数随距离的变化，标出训练长度。",
      guide:
        "每个钟面是一只钟，从左到右由快到慢。着色：训练时指针到过的地方。指针：在这个距离上指着哪里；在着色的扇形以外时画成虚线，钟面下写着“新”。",
      rule: "规则",
      rules: {
        rope: "不用",
        "rope-linear": "位置插值",
        "rope-ntk": "NTK 感知",
        "rope-yarn": "YaRN",
        "rope-llama3": "Llama 3.1",
      },
      distance: "距离",
      length: "训练长度 L₀",
      factor: "倍数 s",
      base: "底数 b",
      pair: "第 {pair} 对",
      turns: "训练 {turns} 圈",
      known: "见过",
      unknown: "新",
      count: "在这个距离上，{pairs} 只钟里有 {count} 只指着训练中没有出现过的角度。",
      countNone: "在这个距离上，没有哪只钟指着训练中没有出现过的角度。",
      more: "长度和倍数，以及由此得到的分数",
      trainedMark: "训练长度",
      chartTitle: "相同向量的分数随距离的变化",
      chartLabel: "相同向量的分数随距离的变化：训练时的频率和所选的规则",
      plain: "训练时的频率",
      scaled: "用 {rule}",
      score: "分数",
      distanceAxis: "距离",
      read: "距离 {distance}：{values}",
      table: "距离 {distance} 处的角度",
      columns: {
        pair: "维度对编号",
        turns: "训练中的圈数",
        angle: "现在的角度（弧度）",
        seen: "训练中的最大角度",
        state: "见过吗",
      },
    },
  },
  choose: {
    heading: "怎样选择",
    paragraphs: [
      "<em>公开的模型</em>：用它配置里的规则和倍数，它就是那样训练或微调的。",
      "<em>不训练，文本要更长</em>：YaRN，倍数够用就好；或者动态 NTK，它的底数随文本增大；程序支持的话，也可以用 SelfExtend 和 ReRoPE。",
      "<em>可以训练一点</em>：带着规则继续训练。擂台上的英文模型用 YaRN ×4 训练 300 步，读 1024 个字符时，损失就降到 1.00 奈特，找针全部答对。",
      "<em>不需要长期记忆的流式文本</em>：滑动窗口，最前面几个词元也留在视野里，因为训练好的模型有许多注意力停在它们身上。",
      "不管哪一种，都要测它记住了什么，不能只看损失。同一个故事的十分钟版，一个模型，六次先猜后看：<a href='./babble.html'>为什么我的模型一过 4096 个词元就胡言乱语？</a>",
    ],
  },
  lab: {
    heading: "规则对钟做了什么",
    paragraphs: [
      "<strong>快的钟照走，慢的钟放慢</strong>（高频外推，低频插值）。快的钟什么角度都指过，相邻的词也靠它分开。慢的钟要放慢，文本长到几倍，频率就降到几分之一（倍数记作 $\\link{factor}{s}$），指针才不会走出扇形。各条规则的不同，在于界线划在哪里。",
    ],
    points: [
      "<em>位置插值</em>（PI）把所有的钟都放慢：新角度没有了，相邻的词却比训练时更挤。",
      "<em>NTK 感知</em>换一个更大的底数：第一只钟不变，最后一只的频率降到 $1/s$，其余的在两者之间。",
      "<em>YaRN</em> 和 <em>Llama 3.1</em> 数圈数：转得多的钟不动，一圈也没转完的，频率降到 $1/s$。<em>NTK-by-parts</em> 比 YaRN 早，做法差不多；<em>LongRoPE</em> 用搜索给每只钟找一个除数。",
      "<em>并不是所有的办法都放慢钟。</em>SelfExtend 和 ReRoPE 不改快慢，只把远的距离当作近的来数。有的模型换上<em>更小</em>的底数继续训练，让每只钟都转完整圈；还有的模型有几层根本不用位置，也就没有什么角度会让它意外。",
    ],
    why: [
      {
        title: "写成公式",
        paragraphs: [
          "除了 LongRoPE，每条规则都给第 $i$ 对的频率乘上一个介于 $1/s$ 和 1 之间的 $\\link{ratio}{\\rho_i}$：",
          "$$\\theta_i' = \\link{ratio}{\\rho_i}\\,\\theta_i, \\qquad \\tfrac{1}{\\link{factor}{s}} \\le \\link{ratio}{\\rho_i} \\le 1$$",
          "位置插值对所有的对都取 $\\rho = 1/s$。NTK 感知把底数扩大到 $b \\cdot s^{d/(d-2)}$。YaRN 和 Llama 3.1 按上面的圈数 $r_i$ 混合：",
          "$$\\link{ratio}{\\rho_i} = \\gamma_i + \\frac{1 - \\gamma_i}{\\link{factor}{s}}, \\qquad \\gamma_i = \\begin{cases} 1 & \\quad \\link{turns}{r_i} \\gg 1 \\\\ 0 & \\quad \\link{turns}{r_i} < 1 \\end{cases}$$",
          "YaRN 从 32 圈到 1 圈，论文里按圈数过渡，公布的代码和 transformers 里按对的序号过渡；Llama 3.1 从 4 圈到 1 圈，按圈数过渡。NTK-by-parts 是通向 YaRN 的一步，在作者的代码里从 16 圈过渡到 0.75 圈，中间经过 NTK 感知缩放。LongRoPE 没有公式：用搜索给每一对找一个除数，短文本一张表，长文本一张表。Phi‑3 的除数一跳一跳地上升，倍数是 32，最后却超过了 64。",
        ],
      },
      {
        title: "把底数换大不就行了？",
        paragraphs: [
          "那是另一条路，模型要用它来训练：Code Llama 用 $10^6$ 继续训练，Llama 3 用 500 000。那样从来转不满一圈的对就更多了，而模型在训练中学会了应付它们。",
        ],
      },
    ],
    figure: {
      title: "缩放实验室",
      shows:
        "两幅以对为横轴的折线图：各条规则给每一对的频率乘上多少；缩放前后的波长，用对数刻度，标出训练长度和延长后的长度。",
      guide: "横轴：从最快的钟到最慢的钟。每条线是一条规则，纵轴是各只钟的速度乘上了多少，1 表示没动。",
      models: "公开的模型",
      more: "波长、公开的模型、头的宽度",
      rule: "规则",
      rules: {
        "rope-linear": "位置插值",
        "rope-ntk": "NTK 感知",
        "rope-ntk-by-parts": "NTK-by-parts",
        "rope-yarn": "YaRN",
        "rope-llama3": "Llama 3.1",
        "rope-longrope": "LongRoPE",
      },
      factor: "倍数 s",
      length: "训练长度 L₀",
      base: "底数 b",
      dim: "头的宽度 d",
      others: "同时画出其他规则",
      longrope:
        "LongRoPE 的除数是为某一个模型搜索出来的，这里的属于 Phi‑3 mini：d = 96，b = 10 000，L₀ = 4096，s = 32。宽度固定为 96；对别的取值没有人搜索过。",
      ratioTitle: "新频率 / 原频率",
      ratioLabel: "各对的新频率与原频率之比，每条规则一条线",
      ratio: "比值",
      pair: "维度对编号",
      readRatio: "第 {pair} 对：训练中转了 {turns} 圈；{values}",
      waveTitle: "波长",
      waveLabel: "缩放前后每一对的波长（词元数）",
      wave: "转一圈的词元数",
      plain: "训练时",
      trained: "L₀",
      extended: "s · L₀",
      readWave: "第 {pair} 对：训练时 {plain} 个词元转一圈，用 {rule} 是 {scaled} 个",
      summary: "{pairs} 对中有 {never} 对在训练中没转满一圈，距离再远些，总会指到新的角度。{rule}：{runs}。",
      changes: { unchanged: "不变", blended: "混合", slowed: "频率降到 1/s", faster: "变快", still: "不转" },
      run: "{pairs} {change}",
      comma: "，",
      table: "{rule} 下的各对",
      columns: { pair: "维度对编号", turns: "L₀ 内的圈数", plain: "训练时的波长", scaled: "现在的波长", ratio: "比值" },
    },
  },
  learners: learnersZhCN,
  digits: digitsZhCN,
  dynamic: {
    heading: "跟着长度走的规则",
    paragraphs: [
      "固定的倍数连短文本也一起改了，而短文本本来没有问题。<strong>动态 NTK</strong> 不动短文本：在 $L_0$ 个词元以内什么都不变，超过以后，底数随文本长度 $L$ 增大：",
      "$$b' = b \\left(\\frac{\\link{factor}{s}\\,\\link{length}{L}}{L_0} - (\\link{factor}{s} - 1)\\right)^{d/(d-2)}$$",
      "$s = 1$ 时括号里就是 $L/L_0$：文本长了多少倍，最后一对就放慢多少倍。这就是 YaRN 论文里的规则；$s$ 更大时（Transformers 库里可以设）就更陡。",
      "可是现在角度取决于文本已经有多长，而缓存里的键是在文本还短的时候转的。照原样拿来用，查询和键看的就不再是同样的钟了。",
    ],
    points: [
      "<em>训练长度以左</em>，所有的线都在 1。往右，慢的对降得最多。",
      "<em>让文本变长</em>，键照缓存里的用：分数就离开了正确的曲线。近处的键并不比远处的好，因为起作用的是它们被旋转时的位置，而那已经很靠后了。",
      "<em>重新转一次</em>：每个键再转过新旧角度之差，缓存扫一遍就够了。结果落在正确的曲线上，只差舍入误差。",
      "<em>LongRoPE</em> 也有同样的问题，不过只有一次：文本超过 $L_0$、换表的时候。Transformers 库里的 Phi‑3 就在这一刻丢掉缓存，重新计算所有的键。",
      "<em>文档存成文件</em>：键既然可以再转，就不必重新算。<a href='./documents.html'>另有一页</a>把三段文本的键和值存成文件，按任意顺序接在一起。",
    ],
    figure: {
      title: "随长度变化的频率，以及缓存里的键",
      shows:
        "折线图：五对的频率（相对于训练时）随文本长度的变化；以及查询和缓存里的键的分数随距离的变化：照原样、重新转过、从头计算。",
      factor: "倍数 s",
      cached: "缓存键的时候",
      now: "现在文本有",
      tokens: "{count} 个词元",
      frequencyTitle: "频率随文本长度的变化",
      frequencyLabel: "五对的频率（相对于训练时）随文本长度的变化",
      length: "文本长度",
      frequency: "相对频率",
      pair: "第 {pair} 对",
      readFrequency: "{length} 个词元：{values}",
      scoreTitle: "最后一个词元和缓存里的键的分数",
      scoreLabel: "分数随距离的变化：缓存的键照原样、重新转过、从头计算",
      distance: "距离",
      score: "分数",
      stale: "照原样",
      turned: "重新转过",
      fresh: "从头计算",
      entry: "{name}：{value}",
      readScore: "距离 {distance}：{values}",
      result: "分数的最大误差：键照原样是 {stale}，重新转过以后是 {turned}。",
      trainedMark: "训练长度",
      nowMark: "现在",
      table: "分数随距离的变化",
    },
  },
  ...farZhCN,
  shader: shaderZhCN,
  code: {
    paragraphs: [
      "有多少对没转满一圈，各条规则怎样改变它们，以及在一百万处 float32 差多少。开头的几个数就是实验室里的设置。",
    ],
  },
  quiz: [
    {
      question: "倍数为 8 的位置插值。相邻两个词元之间，第 0 对的夹角原来是 1 弧度，现在是多少？",
      options: [
        { text: "8 弧度", why: "插值是放慢，不是加快。" },
        {
          text: "1/8 弧度",
          why: "所有的频率都除以 8，快的对也不例外。所以需要微调，也所以后来的规则都不动快的对。",
        },
        {
          text: "1 弧度，只有慢的对会变",
          why: "这是 NTK-by-parts、YaRN 和 Llama 3.1 的想法。插值对所有的对一视同仁。",
        },
      ],
      answer: 1,
    },
    {
      question: "文本比训练时长，哪些对先出问题？",
      options: [
        { text: "快的，因为转得最远", why: "它们已经转遍了整个圆，每个角度都见过。" },
        { text: "都一样", why: "钟面上看得出差别：关键是这一对在训练中有没有转满一圈。" },
        { text: "慢的，它们只见过圆的一部分", why: "超过训练长度以后，它们的角度对所有的权重来说都是新的。" },
      ],
      answer: 2,
    },
    {
      question:
        "一个模型只训练到 256 个字符。改了一处以后，读 4096 个字符，损失和从前一样低。2000 个字符以前的东西，它现在记得住吗？",
      options: [
        {
          text: "记得住：不看全文，猜不了这么准",
          why: "多数字符看最近几个就猜得出来，256 的窗口也猜得一样准。",
        },
        {
          text: "还不知道，要用找针测一测",
          why: "窗口和 SelfExtend 的损失差不多，一个忘了，另一个找得到密码。",
        },
        {
          text: "记不住：超出训练长度，什么办法都没用",
          why: "用 SelfExtend，或者倍数够大的 YaRN，远得多的密码也找得到。",
        },
      ],
      answer: 1,
    },
  ],
  sources: [
    {
      cite: "Chen 等，Extending Context Window of Large Language Models via Positional Interpolation，2023，式 4",
      url: "https://arxiv.org/abs/2306.15595",
    },
    {
      cite: "Peng 等，YaRN: Efficient Context Window Extension of Large Language Models，2023，第 3 节",
      url: "https://arxiv.org/abs/2309.00071",
      note: "也讲了 NTK 感知、NTK-by-parts 和动态缩放，它们最早发表在网上的论坛里。",
    },
    {
      cite: "Ding 等，LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens，2024",
      url: "https://arxiv.org/abs/2402.13753",
    },
    {
      cite: "Grattafiori 等，The Llama 3 Herd of Models，2024",
      url: "https://arxiv.org/abs/2407.21783",
      note: "底数 500 000 见论文；1 圈到 4 圈之间的混合见 Llama 3.1 公布的代码和配置。",
    },
    {
      cite: "Liu 等，Scaling Laws of RoPE-based Extrapolation，2023",
      url: "https://arxiv.org/abs/2310.05209",
      note: "训练中转满一圈和没转满一圈的对。",
    },
    {
      cite: "Rozière 等，Code Llama: Open Foundation Models for Code，2023",
      url: "https://arxiv.org/abs/2308.12950",
    },
    {
      cite: "Abdin 等，Phi-3 Technical Report，2024",
      url: "https://arxiv.org/abs/2404.14219",
      note: "用 LongRoPE 的公开模型，除数表在它的配置里。",
    },
    {
      cite: "苏剑林，Transformer升级之路：10、RoPE是一种β进制编码，2023",
      url: "https://kexue.fm/archives/9675",
      note: "把位置看作数字：外推、内插、进制转换。混合进制见<a href='https://kexue.fm/archives/9706'>第 11 篇</a>。",
    },
    {
      cite: "苏剑林，Transformer升级之路：12、无限外推的ReRoPE？，2023",
      url: "https://kexue.fm/archives/9708",
    },
    {
      cite: "Jin 等，LLM Maybe LongLM: SelfExtend LLM Context Window Without Tuning，2024",
      url: "https://arxiv.org/abs/2401.01325",
    },
    {
      cite: "Xiao 等，Efficient Streaming Language Models with Attention Sinks，2023",
      url: "https://arxiv.org/abs/2309.17453",
      note: "把最前面的词元留在视野里的窗口。",
    },
    {
      cite: "Press 等，Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation，2021",
      url: "https://arxiv.org/abs/2108.12409",
    },
    {
      cite: "Yang 等，RoPE to NoPE and Back Again: A New Hybrid Attention Strategy，2025",
      url: "https://arxiv.org/abs/2501.18795",
      note: "在用 RoPE 的层之间插入不用位置的层。",
    },
    {
      cite: "EleutherAI，GPT-NeoX，issue 1003，2023",
      url: "https://github.com/EleutherAI/gpt-neox/issues/1003",
      note: "用 float16 和 bfloat16 计算角度会差多少。",
    },
    { cite: "DeepSeek-AI，DeepSeek-V3 Technical Report，2024", url: "https://arxiv.org/abs/2412.19437" },
    {
      cite: "Su 等，RoFormer: Enhanced Transformer with Rotary Position Embedding，2021",
      url: "https://arxiv.org/abs/2104.09864",
    },
  ],
};

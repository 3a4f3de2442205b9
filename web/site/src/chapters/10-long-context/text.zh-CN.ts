// 长上下文一章：简体中文。
import type { en } from "./text.en.ts";
import { arenaZhCN } from "./text.arena-zh-CN.ts";
import { farZhCN } from "./text.far-zh-CN.ts";
import { learnersZhCN } from "./text.learners-zh-CN.ts";
import { needleZhCN } from "./text.needle-zh-CN.ts";

export const zhCN: typeof en = {
  question:
    "一个模型用 4096 个词元训练，现在给它 32 768 个。RoPE 想转多远就能转多远，可是模型还是会失灵，为什么？要把哪些转动放慢，它才不会失灵？",
  idea: [
    "RoPE 是一排钟。快的钟在每篇训练文本里都转了几百圈，来什么角度都见过；慢的钟从没转完一圈。文本变长，慢的钟就走到了没有任何权重见过的角度上。",
    "本章的办法都是把一些钟放慢，让更长的文本不出现新的角度。不同的是放慢哪些。（也有别的路：Liu 等人换上<em>更小</em>的底数继续训练，让每只钟都转完整圈。）全都放慢，相邻的词就挤在了一起；只放慢那些没转完一圈的，近处仍然分得清。",
    "剩下两件事。可选的键多了，注意力要更集中；走到一百万个词元，角度大得 32 位浮点数的精度不够用了，最后一幅图测量误差有多大。",
  ],
  arena: arenaZhCN,
  learners: learnersZhCN,
  needle: needleZhCN,
  unseen: {
    heading: "没人见过的角度",
    paragraphs: [
      "在 $L_0$ 个词元的训练文本里，两个词最多相隔 $L_0 - 1$。第 $i$ 对的波长是 $\\lambda_i = 2\\pi/\\theta_i$，在整篇文本的长度上，它转的圈数是：",
      "$$\\link{turns}{r_i} = \\frac{L_0}{\\lambda_i} = \\frac{L_0\\,\\theta_i}{2\\pi}$$",
      "$r_i$ 小于 1，这一对就只见过圆的一部分，也就是钟面上画出的扇形。指针指着你选的距离上查询和键的夹角。超过训练长度，慢的指针就离开了扇形。选一条规则，它们又会回来。",
    ],
    points: [
      "<em>不用规则、距离很远</em>：快的指针总在熟悉的地方，慢的就不在。出问题的是慢的那些对，虽然快的转得远得多。",
      "<em>位置插值</em>把所有的指针都拉了回来，但有代价：快的指针每步也只走原来的八分之一，相邻的词看起来像在同一个地方。曲线就是训练时的那条，横向拉长了。",
      "<em>NTK 感知</em>的缩放不动第一对，最后一对按倍数全额放慢；中间仍有一些对会走出扇形。<em>YaRN</em> 和 <em>Llama 3</em> 一个都不放出去。（YaRN 的曲线起点更高，原因在后面。）",
      "<em>曲线</em>只是所有对的平均，不会有什么意外。模型的得分却不是平均：它的权重是让慢的那些对在见过的扇形里互相抵消的。Chen 等人演示了得分怎样一出扇形就暴涨，并证明插值时的上界只有外推上界的约 1/600左右。",
    ],
    figure: {
      title: "见过的和没见过的角度",
      shows: "六个钟面，画出训练中见过的扇形和当前角度的指针；下面是相同向量的得分随距离的变化，标出训练长度。",
      caption: "着色的扇形：训练中出现过的角度。指针在扇形以外时画成虚线，钟面下写着“新”。",
      rule: "规则",
      rules: { rope: "不用", "rope-linear": "PI", "rope-ntk": "NTK", "rope-yarn": "YaRN", "rope-llama3": "Llama 3" },
      distance: "距离",
      length: "训练长度 L₀",
      factor: "倍数 s",
      base: "底数 b",
      pair: "第 {pair} 对",
      turns: "训练 {turns} 圈",
      known: "见过",
      unknown: "新",
      count: "{pairs} 对中有 {count} 对指着训练中没有出现过的角度。",
      countNone: "没有哪一对指着训练中没有出现过的角度。",
      trainedMark: "训练长度",
      chartTitle: "相同向量的得分随距离的变化",
      chartLabel: "相同向量的得分随距离的变化：训练时的频率和所选的规则",
      plain: "训练时的频率",
      scaled: "用 {rule}",
      score: "得分",
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
  lab: {
    heading: "放慢哪些对",
    paragraphs: [
      "设文本要变成原来的 $s$ 倍长。除了最后一条，每条规则都给第 $i$ 对的频率乘上一个介于 $1/s$ 和 1 之间的 $\\link{ratio}{\\rho_i}$：",
      "$$\\theta_i' = \\link{ratio}{\\rho_i}\\,\\theta_i, \\qquad \\tfrac{1}{\\link{factor}{s}} \\le \\link{ratio}{\\rho_i} \\le 1$$",
      "<strong>位置插值</strong>（PI）对所有的对都取 $\\rho = 1/s$。<strong>NTK 感知</strong>缩放把底数扩大到 $b \\cdot s^{d/(d-2)}$：第一对不变，最后一对的频率恰好降到 $1/s$，其余的在两者之间。<strong>YaRN</strong> 和 <strong>Llama 3</strong> 要看这一对在训练中转了几圈，也就是上面的 $r_i$：转得多的不动，不到一圈的除以 $s$，中间的按比例混合：",
      "$$\\link{ratio}{\\rho_i} = \\gamma_i + \\frac{1 - \\gamma_i}{\\link{factor}{s}}, \\qquad \\gamma_i = \\begin{cases} 1 & \\quad \\link{turns}{r_i} \\gg 1 \\\\ 0 & \\quad \\link{turns}{r_i} < 1 \\end{cases}$$",
      "YaRN 从 32 圈到 1 圈，论文里按圈数过渡，公布的代码和 transformers 里按对的序号过渡；Llama 3 从 4 圈到 1 圈，按圈数过渡。<strong>NTK-by-parts</strong> 是通向 YaRN 的一步，在作者的代码里从 16 圈过渡到 0.75 圈，中间经过 NTK 感知缩放。<strong>LongRoPE</strong> 没有公式：用搜索给每一对找一个除数，短文本一张表，长文本一张表。",
    ],
    points: [
      "<em>上图</em>：1 表示没动。PI 是一条水平线，NTK 一路下斜。YaRN 和 Llama 3 是一级台阶，台阶就在训练长度里转不满一圈的地方。",
      "<em>下图</em>：在 $L_0$ 线以上的对，训练中从没转满一圈。PI、YaRN 和 Llama 3 把它们抬到 $s$ 倍，于是在长文本里它们走的和原来一样远，不会更远。",
      "<em>改变训练长度或底数</em>：PI 和 NTK 毫无反应，YaRN 和 Llama 3 的台阶会移动。",
      "<em>选 Phi‑3</em>：LongRoPE 的除数一跳一跳地上升，倍数是 32，最后却超过了 64。搜索的结果不一定整齐。",
      "<em>用更大的底数来训练</em>是另一条路：Code Llama 用 $10^6$ 继续训练，Llama 3 用 500 000。那样从来转不满一圈的对就更多了，而模型在训练中学会了应付它们。",
    ],
    figure: {
      title: "缩放实验室",
      shows:
        "两幅以对为横轴的折线图：各条规则给每一对的频率乘上多少；缩放前后的波长，用对数刻度，标出训练长度和延长后的长度。",
      models: "公开的模型",
      rule: "规则",
      rules: {
        "rope-linear": "PI",
        "rope-ntk": "NTK",
        "rope-ntk-by-parts": "NTK-by-parts",
        "rope-yarn": "YaRN",
        "rope-llama3": "Llama 3",
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
      summary: "{pairs} 对中有 {never} 对在训练中没转满一圈。{rule}：{runs}。",
      changes: { unchanged: "不变", blended: "混合", slowed: "频率降到 1/s", faster: "变快", still: "不转" },
      run: "{pairs} {change}",
      comma: "，",
      table: "{rule} 下的各对",
      columns: { pair: "维度对编号", turns: "L₀ 内的圈数", plain: "训练时的波长", scaled: "现在的波长", ratio: "比值" },
    },
  },
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
      "<em>让文本变长</em>，键照缓存里的用：得分就离开了正确的曲线。近处的键并不比远处的好，因为起作用的是它们被旋转时的位置，而那已经很靠后了。",
      "<em>重新转一次</em>：每个键再转过新旧角度之差，缓存扫一遍就够了。结果落在正确的曲线上，只差舍入误差。",
      "<em>LongRoPE</em> 也有同样的问题，不过只有一次：文本超过 $L_0$、换表的时候。Transformers 库里的 Phi‑3 就在这一刻丢掉缓存，重新计算所有的键。",
    ],
    figure: {
      title: "随长度变化的频率，以及缓存里的键",
      shows:
        "折线图：五对的频率（相对于训练时）随文本长度的变化；以及查询和缓存里的键的得分随距离的变化：照原样、重新转过、从头计算。",
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
      scoreTitle: "最后一个词元和缓存里的键的得分",
      scoreLabel: "得分随距离的变化：缓存的键照原样、重新转过、从头计算",
      distance: "距离",
      score: "得分",
      stale: "照原样",
      turned: "重新转过",
      fresh: "从头计算",
      entry: "{name}：{value}",
      readScore: "距离 {distance}：{values}",
      result: "得分的最大误差：键照原样是 {stale}，重新转过以后是 {turned}。",
      trainedMark: "训练长度",
      nowMark: "现在",
      table: "得分随距离的变化",
    },
  },
  ...farZhCN,
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
        { text: "1 弧度，只有慢的对会变", why: "这是 NTK-by-parts、YaRN 和 Llama 3 的想法。插值对所有的对一视同仁。" },
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
      question: "一个程序用动态 NTK，缓存里存的是转过的键。文本长过了训练长度，它该怎么办？",
      options: [
        {
          text: "把缓存里的键从旧角度转到新角度，或者缓存没有转过的键",
          why: "<code>rerotate</code> 扫一遍就能做完前一件事。",
        },
        {
          text: "什么都不用做，RoPE 的得分只取决于距离",
          why: "前提是查询和键用同样的频率旋转，而这里的频率随长度变化。",
        },
        { text: "给得分乘上注意力系数", why: "动态 NTK 没有这个系数，而且乘一个数也修不好错的角度。" },
      ],
      answer: 0,
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
    { cite: "DeepSeek-AI，DeepSeek-V3 Technical Report，2024", url: "https://arxiv.org/abs/2412.19437" },
    {
      cite: "Su 等，RoFormer: Enhanced Transformer with Rotary Position Embedding，2021",
      url: "https://arxiv.org/abs/2104.09864",
    },
  ],
};

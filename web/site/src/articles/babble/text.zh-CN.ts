// 《胡言乱语》一文：简体中文。
import { manyZhCN, shortZhCN } from "./text.trials-zh-CN.ts";
import type { en } from "./text.en.ts";
import { writerZhCN } from "./text.writer-zh-CN.ts";

export const zhCN: typeof en = {
  promise:
    "读得懂，答得好，可是一过 4096 个词元，就满口胡话。在这一页，你会让一个小模型犯同样的毛病，找出坏掉的是哪一部分，试三种修法，看清各自的代价。最后带走一条命令，去修<strong>你自己的模型</strong>。",
  minutes: "10",
  beginning: "春江潮水连海平，",
  writer: writerZhCN,
  break: {
    heading: "真的会坏吗？",
    paragraphs: [
      "这一页自带一个语言模型。它很小，构造却和你的一样：一层层的注意力，再用最常见的规则 RoPE 告诉注意力两处隔了多远。你的模型读词元（词的小段），它读单个的字，训练时每段文本 256 个字。<strong>它的 256，就是你的 4096。</strong>",
      "我们看它的<em>损失</em>：下一个字让它有多意外。越低越好。",
    ],
    predict: {
      question: "过了第 256 个字，它接着读，会猜得怎么样？",
      options: ["稍微变差", "很快垮掉", "和先前一样好"],
      answer: 1,
      reveal: "256 个字以内都好好的，再过一百来个字就全乱了。现在你开个头，亲眼看它往下写。",
    },
    figure: {
      title: "越过边界",
      shows: "一幅折线图：模型读到文本各处的损失，标出训练长度。下面是模型自己写的一段文字，标出训练长度在哪里结束。",
      caption:
        "每 32 个字一个点，取六段模型从没读过的文字的平均损失。单位是奈特：0 表示从不意外，1 表示每个字猜中的机会是 1/2.7。",
      chart: "读到各处的损失",
      place: "第几个字",
      loss: "损失（奈特）",
      trained: "训练长度",
      read: "第 {place} 个字：损失 {nats}",
    },
    idea: [
      "不是累了，也不是差了一点，是没几行就坏掉了。可是 256 前后，明明是同一个模型，里面一个数都没有变。那么变的是什么？",
      "有三个嫌疑：<strong>记忆</strong>、<strong>注意力</strong>、<strong>位置</strong>。我们一个一个排除。",
    ],
  },
  memory: {
    heading: "是记不下了吗？",
    paragraphs: [
      "也许只是文本太长，装不下了。那么短文本总该没事。取 200 个字，比训练时还短，别的都不动，只改<em>位置编号</em>：告诉模型每个字在第几位。",
    ],
    predict: {
      question: "怎样编号，这 200 个字就会让模型乱掉？",
      options: ["从 10 000 开始编号", "在中间空出 400 个号", "都不会：200 个字很短"],
      answer: 1,
      reveal: "要记的东西很少，它还是乱了。五位数的编号倒一点妨碍也没有。",
    },
    figure: shortZhCN,
    idea: [
      "记忆是清白的：一段比训练时还短的文字，就足以让它乱掉。编号大也没有罪：RoPE 让注意力看到的只是两个字<em>隔了多远</em>，一起挪 10 000，距离一点没变。",
      "留空改变的正是距离：原来隔 100 的两个字，现在说是隔了 500。看来远距离最可疑。不过长文本里有两样东西同时在变：距离变远，字也变多。会不会光是字多，就看花了眼？",
    ],
  },
  attention: {
    heading: "是字太多，注\u2060意\u2060力看花眼了吗？",
    paragraphs: [
      "这回反过来。一段 512 个字的长文本，每个字都看得见前面所有的字，只是对注意力撒一个善意的谎：凡是隔得比 192 远的，一律<em>说成 192</em>。",
    ],
    predict: {
      question: "字比平时多一倍，却没有一个陌生的距离。模型会怎么样？",
      options: ["乱掉：字太多了", "和平时读得一样好", "介于两者之间"],
      answer: 1,
      reveal: "要看的字是训练时的两倍，它照样读得下去，好像什么事也没有。",
    },
    figure: manyZhCN,
    idea: [
      "注意力也是清白的。字再多，它也看得过来；只有听到<strong>训练时从没遇到过的距离</strong>，它才会出错。",
      "那就是位置了。可是 200 是个数，300 也是个数，为什么一个听得懂，另一个就成了毒药？",
    ],
  },
  clocks: {
    heading: "新的距离，新在哪里？",
    paragraphs: [
      "在模型眼里，距离不是一个数，而是一排钟，这里有 16 只。距离为 0 时，每根指针都指着正上方；然后各走各的：最快的六个字转一圈，最慢的要几万个字。",
    ],
    predict: {
      question: "距离 500。哪些钟指着训练时从没指过的时刻？",
      options: ["快的", "慢的", "所有的"],
      answer: 1,
      reveal: "快钟在每段训练文本里都转了许多圈，哪里都指过。慢钟从正上方出发，一圈也没转完过。",
    },
    figure: {
      title: "一圈也没转完的钟",
      shows: "十六只钟，由快到慢。着色的扇形是训练时指针到过的地方，指针是在所选的距离上指着哪里。",
      guide:
        "钟下的数：转一圈要多少个字。着色：距离在 256 以内，训练时指针到过的地方。虚线指针：指着从没到过的地方。转完一圈的钟（距离 500 时，353 那只）又指回了到过的地方。",
      distance: "距离",
      known: "见过",
      fresh: "新",
      count: "距离 {distance}：{clocks} 只钟里，有 {count} 只指着训练时从没指过的时刻。",
      countNone: "距离 {distance}：每只钟指的时刻，训练时都指过。",
      large: "Llama 2 用 4096 个词元训练：它的 {clocks} 只钟里，有 {count} 只一圈也没转完。",
      table: "距离 {distance} 时的钟",
      clock: "钟",
      turn: "转一圈的字数",
      inTraining: "训练中转的圈数",
      state: "时刻",
    },
    idea: [
      "找到了。训练教会模型读懂每根指针，但只从正上方教到距离 256 时指针所在的地方。再往前，慢钟的指针就指到了谁也没教过的地方。权重照样给出回答，只不过是胡话。",
      "所以它才垮得那么快：刚碰到新的距离就够了。该怎么修，也就清楚了：<strong>别让任何一只钟指到它不认识的时刻</strong>。办法有三种。",
    ],
  },
  repairs: {
    heading: "怎么修？",
    paragraphs: [
      "<strong>拉长。</strong>把慢钟再放慢，让 1024 个字走过的角度，不超过从前的 256 个字。最常用的做法叫 YaRN。",
      "<strong>开窗。</strong>只回头看 256 个字，一个也不多看。（流式生成的程序还会留住最前面的几个词元：许多模型的注意力平时就停在那里。）",
      "<strong>分组。</strong>近处一个一个地数，远处一组一组地数，远的就当成了近的。SelfExtend 就是这样。ReRoPE 更进一步：窗口以外全算同一个距离，和刚才那个善意的谎一样。",
    ],
    predict: {
      question: "天下没有白吃的午餐。哪种修法会让模型在短文本上变差？那里本来可没坏。",
      options: ["拉长", "开窗", "分组"],
      answer: 0,
      reveal: "最快的钟照旧，不快不慢的那些却比训练时走得慢了，近处就变得模糊。",
    },
    figure: {
      title: "三种修法和代价",
      shows:
        "训练好的原样，以及三种修法：在 256 个字和 1024 个字的文本上的损失，画成横条；还有每个词元的用时。下面是修好的模型写的一段文字。",
      guide: "横条：损失；虚线：平时的损失。三种修法都没有重新训练。",
      caption:
        "用时：前面已有 4095 个词元时，再写一个要多久。用英文模型的 ONNX 文件在 onnxruntime-web 里测得，以导出的原样为 1 倍。",
      names: { none: "不修", stretch: "拉长", window: "开窗", group: "分组" },
      rules: {
        none: "原样，训练长度 256 个字",
        stretch: "YaRN：慢钟慢 4 倍",
        window: "只看最近 256 个字",
        group: "SelfExtend：远处按组来数",
      },
      near: "短：256",
      far: "长：1024",
      time: "每个词元的用时",
      times: "{times} 倍",
      repair: "修法",
      table: "短文本和长文本上的损失，以及每个词元的用时",
      choose: "用哪种修法往下写",
    },
    idea: [
      "三种都能治好胡话，代价各不相同。<strong>拉长</strong>会模糊近处（带着它再训练几百步，就能补回来），而且只拉到几倍，就只能读到几倍。<strong>分组</strong>要用两种数法，近处一种，远处一种，写一个词元最多要花两倍的时间；远处谁先谁后，也分不大清了。",
      "<strong>开窗</strong>似乎分文不取：损失低，也不费时间。是不是有点可疑？",
    ],
  },
  remembers: {
    heading: "最便宜的就最好吗？",
    paragraphs: ["再考一题。文本里藏着一个 16 个字的密码，768 个字以后，密码又从头出现。模型接得下去吗？"],
    predict: {
      question: "修好的模型里，谁还找得到密码？",
      options: ["三个都能：损失都不高", "拉长和分组", "开窗和分组"],
      answer: 1,
      reveal: "开窗的看不到那么远。看不到的，就等于忘了；损失却一声不吭。拉长的模糊了一些，也还找得到一半多。",
    },
    figure: {
      title: "损失低，就记得住远处吗？",
      shows: "两幅折线图，比较三种修法：损失随文本长度的变化，以及藏着的密码被找到的比例随距离的变化。",
      guide: "损失越低越好，密码找到得越多越好。浅色粗线：被另一条线盖住了。",
      lossTitle: "损失与长度",
      needleTitle: "找到密码的比例与距离",
      length: "读过的字数",
      loss: "损失（奈特）",
      distance: "相隔的字数",
      found: "找到的比例（1 为全部）",
      trained: "训练长度",
      readLoss: "{length} 个字 · {values}",
      readNeedle: "相隔 {distance} · {values}",
      share: "{percent}%",
      result: "隔 {distance} 个字，找到 {percent}%",
    },
    idea: [
      "这就是开窗的代价：<strong>它会忘</strong>。损失看不出来，因为猜下一个字，多半只用得着最近的几十个字。<strong>损失平稳，不等于记得住远处。</strong>所以不管用哪种修法，都要拿很远处的内容考一考你的模型。",
    ],
  },
  ending: {
    heading: "现在修你自己的文件",
    paragraphs: [
      "你的模型胡言乱语，是因为<strong>距离超出了训练，慢钟指到了训练时从没指过的时刻</strong>。三种修法，都是让钟只指认识的时刻：",
      "<strong>拉长</strong>：能再训练一点，或者只要加长几倍，就用它。代价：近处模糊。",
      "<strong>开窗</strong>：像聊天那样，只有最近的内容要紧，就用它。代价：会忘。",
      "<strong>分组</strong>：不能再训练，又要找得到很远的内容，就用它。代价：费时间，远处先后不清。",
      "如果你有一个文件夹，里面是模型的 ONNX 文件（onnxruntime 和 transformers.js 用的格式），先查看，再修改。原来的文件不会动。",
    ],
    commands: [
      {
        title: "它用的是什么位置编码？",
        lines: "npx posenc inspect my-model",
        note: "列出旋转、各只钟的快慢（<code>base</code>、缩放），以及哪里不对。也能读 llama.cpp 的 .gguf 文件。",
      },
      {
        title: "拉长：YaRN × 4",
        lines: "npx posenc rewrite my-model --yarn 4 -o my-model-stretched",
        note: "把 <code>-o …</code> 换成 <code>--explain</code>，就什么也不写，只把同样的改动打印成 config.json 的字段和 llama.cpp 的选项。",
      },
      {
        title: "开窗：4096 个词元",
        lines: "npx posenc rewrite my-model --window 4096 -o my-model-window",
      },
      {
        title: "分组：SelfExtend，可读到 16 384 个词元",
        lines: `npx posenc rewrite my-model --remap '{"kind":"self-extend","group":8,"window":1024}' -o my-model-grouped`,
        note: "最远的距离也要是训练时有过的：读到 16 384 时，它算作 <span class='kept'>1024 + (16 384 − 1024) / 8 = 2944</span>，小于 4096。",
      },
    ],
    idea: ["然后在长文本里藏一个密码，问问它。"],
    onward: [
      {
        href: "./long-context.html",
        title: "长上下文",
        summary: "所有规则放在一起比，还有微调；你也可以自己藏密码。",
      },
      { href: "./rope.html", title: "RoPE 与注意力", summary: "这些钟是怎么来的？自己动手发明一遍。" },
      {
        href: "./why.html",
        title: "位置编码凭什么管用？",
        summary: "另一篇文章：真实模型里，词与正弦值相加的结果，怎样拆得开。",
      },
      { href: "./inspector.html", title: "检查模型", summary: "同样的命令，不用终端：把文件拖进网页就行。" },
      {
        href: "../api/documents/中文文档.ONNX_模型：更长的上下文.html",
        title: "ONNX 模型：更长的上下文",
        summary: "命令的全部选项，以及各种规则的损失和密码对照表。",
      },
    ],
  },
  sources: [
    {
      cite: "Peng 等 2023，YaRN: Efficient Context Window Extension of Large Language Models",
      url: "https://arxiv.org/abs/2309.00071",
      note: "只拉长慢钟。",
    },
    {
      cite: "Xiao 等 2023，Efficient Streaming Language Models with Attention Sinks",
      url: "https://arxiv.org/abs/2309.17453",
      note: "留住最前几个词元的窗口。",
    },
    {
      cite: "Jin 等 2024，LLM Maybe LongLM: Self-Extend LLM Context Window Without Tuning",
      url: "https://arxiv.org/abs/2401.01325",
      note: "远的距离按组来数。",
    },
  ],
};

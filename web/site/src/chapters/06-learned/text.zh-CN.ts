// 可学习位置编码一章：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";

export const zhCN: typeof en = {
  question: "不用公式：给每个位置一行数，一开始全是噪声，让<strong>训练</strong>自己去填。这就是 256 行数最后的样子。",
  idea: [
    "图中每个点是表里的一行，也就是一个小语言模型里代表某个位置的 128 个数；这个模型的任务是根据前文猜下一个字符。128 维画不出来，就挑出各行差别最大的三个方向来画。线把相邻的位置连起来。选“噪声”，看看这样的表一开始是怎样的一团乱麻。",
    "没有人告诉模型，第 7 行在第 6 行和第 8 行之间。每一步只挪动被读到的那些行，每行挪一点点，和词向量的学习一样。相邻的位置要做的事多半差不多，它们的行也就慢慢靠拢，噪声最后连成了一条曲线。（有的任务非要分清相邻的位置不可，各行就始终不同，下面的“前面的词”就是这样。）",
    "代价有两个：秩序要从数据里学；表里有多少行，就只有多少个位置，BERT 有 512 行，GPT‑2 有 1024 行。",
  ],
  helix: {
    heading: "一条曲线",
    paragraphs: [
      "相邻的行挨在一起，整条线弯成一张弓，只有最前面几行远远地落在外面。第 3 章的正弦编码会绕圈，是因为它本来就写成了钟。",
    ],
    why: [
      {
        title: "这条曲线是螺旋线吗？",
        paragraphs: [
          "GPT‑2 的数据多得多，有 1024 行，它的曲线一圈一圈地绕，是一条<em>螺旋线</em>，看上去像是训练自己造出了钟。不过，平滑的曲线这样画出来本来就容易像波（见出处里的 Shinn），单凭绕圈说明不了什么。这个小模型的各行连一圈都没有转满。至于正弦编码，它的各行有多不同，三个方向的图只画得出三分之一左右。",
        ],
      },
      {
        title: "128 个数怎样变成三个？",
        paragraphs: [
          "用<em>主成分分析</em>：在 128 维空间的所有方向里，取各行差别最大的三个。训练好的表，差别大半都在这三个方向上；噪声则几乎看不出什么。究竟占多少，图边的那句话会说。",
          "这种图里的波浪要小心：任何平滑的曲线，主成分看上去都像波，不管模型用不用波（Shinn 2023）。但相邻的行彼此靠近，这是真的，不投影也看得出来。",
        ],
      },
    ],
    figure: {
      title: "空间里的 256 行",
      shows: "把位置表的各行画成空间里的点，按顺序连起来：噪声、训练好的表或正弦编码。拖动或按方向键可以转动。",
      guide: "颜色：蓝色是第一个位置，橙色是最后一个。灰线是曲线投在地面上的影子。拖动可以转动。",
      choose: "哪张表",
      tables: { noise: "噪声", trained: "训练好的", sinusoidal: "正弦编码" },
      space: "空间里的各行：拖动或按方向键来转动",
      position: "位置",
      turn: "转过",
      share: "128 个方向里的这三个，占了各行之间差别的 {percent}%。",
      table: "每隔八行取一行：{name}",
      directions: ["方向 1", "方向 2", "方向 3"],
    },
  },
  train: {
    heading: "亲手训练一张表",
    paragraphs: [
      "你的电脑来训练一张小一些的表：48 行，任务不靠位置就做不出来。词是随机的，从词看不出该往哪里看，谁看谁全由表里的行决定。这张表能依据的只有<em>误差</em>：答案差了多少。每个数都朝误差变小的方向挪动。",
    ],
    predict: {
      question: "每个词要答出自己和左右两个邻居的平均。第 10 行和第 11 行一开始是互不相干的噪声，训练之后它们会",
      options: ["不同，和原来一样", "相似", "完全相同"],
      answer: 1,
      reveal:
        "按“训练”看看。第 10 个词和第 11 个词要看的词几乎一样，对一行有用的，对另一行也有用。没有人说过它们是邻居，是任务告诉它们的。",
    },
    points: [
      "<em>邻近的词</em>：位置相近的行变得相似，行与行的图里，对角线变宽了。",
      "<em>前面的词</em>：每一行都要和其他行区分开，所以彼此仍然不同，只是数值变大了（向量更长）。秩序要到“谁在看谁”里去找。",
      "<em>自己这一半</em>：每个词要答出自己所在的那半篇文本里所有词的平均。两种行就够了，最后也只剩下两种。",
      "<em>第 24 到 47 行</em>，也就是半张表，还是噪声：训练的文本只有 24 个词，从来没有读到过它们。",
    ],
    why: [
      {
        title: "各行怎样决定谁看谁？",
        paragraphs: [
          "一行的前一半负责<em>提问</em>（当查询），后一半负责<em>应答</em>（当键）。每个词的注意力权重，就是点积经过 softmax 的结果：",
          "$$\\link{weights}{a_{mn}} = \\operatorname{softmax}_{n}\\left(\\frac{\\link{rows}{W_{\\text{问},m}} \\cdot \\link{rows}{W_{\\text{答},n}}}{\\sqrt{d/2}}\\right)$$",
          "在模型里，一行中什么用来提问、什么用来应答，由投影 $W_q$ 和 $W_k$ 决定。",
        ],
      },
    ],
    figure: {
      title: "一张表学会该往哪里看",
      shows: "训练过程中的误差，以及所选步数时这张表的两幅图：各行之间有多像，每个词在看哪个词",
      guide:
        "左图：暖色是两行相似，蓝色是相反，没有颜色是互不相干。右图：颜色越重，这个词看那里越多。举个例子，文本是 A B C D 四个词：C 前面的词是 B；C 邻近词的平均是 B、C、D 的平均；C 这一半的平均是 C、D 的平均。",
      task: "每个词要答出",
      tasks: { previous: "前面的词", neighbours: "邻近词的平均", halves: "自己这一半的平均" },
      reach: "多远",
      reachBack: "往回第 {reach} 个",
      reachAround: "左右各 {reach} 个",
      length: "每篇训练文本的词数",
      dim: "每行几个数",
      steps: "训练步数",
      train: "训练",
      start: "换一批噪声，重新训练",
      play: "从头播放",
      pause: "暂停",
      training: "训练进度",
      step: "显示第几步",
      stepName: "训练步",
      error: "误差",
      errorAxis: "误差（对数）",
      chart: "每个训练步的均方误差",
      readError: "第 {step} 步：误差 {error}",
      similarTitle: "行与行的点积",
      similar: "所选步数时表中各行两两之间的点积",
      readSimilar: "第 {row} 行与第 {column} 行：{value}",
      weightsTitle: "谁在看谁",
      weights: "所选步数时所有位置的注意力权重",
      readWeights: "词 {row} 看词 {column}：{value}",
      asking: "提问的词",
      asked: "被问的词",
      row: "行",
      lossTable: "训练中的误差",
      similarTable: "{step} 步之后各行的点积",
      weightsTable: "{step} 步之后的注意力权重",
    },
  },
  end: {
    heading: "越过最后一行",
    paragraphs: ["公式在哪里都有值，两个位置之间也有。32 行的表到第 31 行为止，两行之间什么也没有。随便要一行试试。"],
    points: [
      "所以这类模型有<em>硬性上限</em>：词元比行还多，就只能把文本切开。把表拉长（一行变成两行）也救不了文本：模型照旧往回看一行，找到的就不再是前一个词了。语言模型用拉长的表读得很差，第 10 章的<a href='./long-context.html#v=2&amp;arena.shown=learned.rope.stretched&amp;at=arena'>擂台</a>里看得到。",
      "缺的是这样一种编码：“往回一个”在任何地方都是同一回事，有没有那一行都一样。正弦编码有这个性质，可是一旦加到词上，就没有什么能保证模型留得住它。下一章的编码把距离直接交给注意力。",
    ],
    why: [
      {
        title: "要是没有人检查呢？",
        paragraphs: [
          "posenc 会拒绝，并说明原因。如果不检查下标，越界查表就可能读到表后面的任意内容；如果负下标像在 Python 里那样从末尾数起，位置 −1 就会悄悄拿到最后一行。",
        ],
      },
    ],
    figure: {
      title: "要一行试试",
      shows: "在所选位置上，可学习的表和正弦编码各自的那一行；没有的话，显示库给出的说明",
      position: "位置 m",
      learned: "可学习，32 行",
      sinusoidal: "正弦编码",
      strip: "{name}：位置 {position} 的各个数",
      refused: "没有这一行。posenc 的回答（{code}）：",
      table: "位置 {position} 的两行数",
      tableName: "编码",
    },
  },
  rows: {
    heading: "从噪声到秩序",
    paragraphs: [
      "这就是表本身，训练前和训练后。每一行是一个位置；<span data-link='rows'>左半边提问，右半边应答</span>。选一列，下面就画出它随位置变化的曲线。",
    ],
    points: [
      "任务是<em>邻近的词</em>时，各列出现了条带：一个数在连续几个位置上偏高，接着几个位置又偏低。没有哪个公式要求这样，看上去却有几分像正弦编码。让每行只有 4 个数，文本有 40 个词，条带就成了波。GPT‑2 的数据多得多，它的各行最后落在一条平滑的曲线上，那是一条螺旋线。",
      "任务是<em>前面的词</em>时，各列始终参差不齐：只要彼此分得开就行，没有理由变得平滑。",
      "看看最后那些位置：过了最后一个训练到的行，两条曲线就合成一条了。",
    ],
    figure: {
      title: "训练前后的各行",
      shows: "训练前和所选步数时表里的数，以及其中一列的曲线",
      before: "训练前",
      after: "{step} 步之后",
      read: "第 {row} 行，第 {column} 个数：训练前 {before}，训练后 {after}",
      number: "行内的第几个数",
      columns: "行内的第几个数（提问 | 应答）",
      help: "用鼠标、手指或方向键在表上移动；光标所在的那一列就是下面的曲线。",
      curve: "每一行的第 {column} 个数，训练前和训练后",
      value: "值",
      readCurve: "位置 {position}：训练前 {before}，训练后 {after}",
      tableBefore: "训练前的表",
      tableAfter: "{step} 步之后的表",
    },
  },
  longer: {
    heading: "比训练时更长",
    paragraphs: [
      "让表有足够多的行，但只用短文本训练。BERT 就是这样训练的：九成的步数用 128 个词元，最后一成才用 512 个，论文里说是“为了学习位置嵌入”。要是没有这最后一成，后面的行会是什么样子？",
      "下面用更长的文本来考一考你在上面训练好的表。通常的补救办法是用插值把表<em>缩放</em>：把训练好的行看作曲线上的点，把曲线拉长，再按新的长度重新取点。视觉 Transformer 处理更大的图像时就是这样做的。",
    ],
    points: [
      "<em>原样使用</em>时，过了最后一个训练到的行，误差立刻跳到和完全没有位置差不多的程度：噪声什么也不知道。任务是<em>自己这一半</em>时，从第一个词起就错了，因为文本变长了，两半的分界就挪到了别处。",
      "<em>拉长</em>之后，相对于整体的东西保住了：“我这一半”还是我这一半，“离我近”还是离我近，只是“近”的范围变大了。对图像来说这样正好：中间的图像块还是在中间。",
      "“前一个词”却丢了。拉长到两倍，表里的一步就是两个词；而两个互相垂直的行，正中间是两者的混合。",
    ],
    figure: {
      title: "每个位置上的误差",
      shows: "在比训练文本更长的文本里，各个位置的均方误差：表原样使用、拉长到新的长度、没有位置",
      length: "考试文本的词数",
      asIs: "原样使用",
      resized: "拉长",
      none: "没有位置",
      chart: "各个位置上答案的均方误差",
      error: "误差",
      read: "位置 {position}：原样使用 {asIs}，拉长 {resized}，没有位置 {none}",
      trained: "训练文本为 {length} 个词",
      inside: "前 {length} 个词的平均误差",
      outside: "其余 {count} 个词的平均误差",
      noneOutside: "无",
      tableCaption: "各个位置的均方误差",
    },
  },
  code: {
    paragraphs: [
      "这就是同样的训练，全部代码都在这里：先做注意力的前向计算，<code>attentionBackward</code> 求出查询和键的梯度，<code>backward</code> 把梯度带回各行，<code>step</code> 挪动各行。一行的两半在这里写成两张表。",
    ],
  },
  quiz: [
    {
      question: "一张 48 行的表，只用 24 个词的文本训练过。第 24 到 47 行里是什么？",
      options: [
        { text: "零", why: "表一开始填的是随机数，没有什么把这些行变成零。" },
        { text: "一开始的噪声", why: "梯度只到达被读过的行，所以这些行从来没有动过。" },
        { text: "前 24 行的延续", why: "行与行互相独立，没有什么会把规律从第 23 行传到第 24 行。" },
      ],
      answer: 1,
    },
    {
      question: "GPT-2 有 1024 个可学习的行。它怎样看到第 1025 个词元？",
      options: [
        {
          text: "看不到，除非改动表或者截断文本",
          why: "没有这一行。可以缩放表再接着训练，或者只取文本的一个窗口。",
        },
        { text: "由相邻的行算出这一行", why: "行不是算出来的，是查出来的。" },
        {
          text: "再用一次第 1 个词元的行",
          why: "要是代码这样绕回开头，就会有两个词元自称站在同一个位置。",
        },
      ],
      answer: 0,
    },
    {
      question: "把表拉长到两倍，下面哪个任务还能完成？",
      options: [
        { text: "前一个词", why: "现在一行跨两个词，“往回一个词”变成了“往回半行”。" },
        { text: "往回第三个词", why: "同样的麻烦：按词数计的距离经不起拉长。" },
        { text: "前半篇还是后半篇？", why: "它相对于整篇文本而言，拉长不改变这一点。" },
      ],
      answer: 2,
    },
  ],
  sources: [
    {
      cite: "Gehring 等，Convolutional Sequence to Sequence Learning，2017，第\u00A03.1\u00A0节",
      url: "https://arxiv.org/abs/1705.03122",
      note: "每个位置一个可学习的向量，加到词向量上",
    },
    {
      cite: "Vaswani 等，Attention Is All You Need，2017，第\u00A03.5\u00A0节与表 3 的 (E) 行",
      url: "https://arxiv.org/abs/1706.03762",
      note: "用可学习的行代替正弦编码：BLEU 25.7 对 25.8，困惑度相同",
    },
    {
      cite: "Devlin 等，BERT，2018，附录 A.2",
      url: "https://arxiv.org/abs/1810.04805",
      note: "90% 的步数用 128 个词元，其余用 512 个，以学习位置嵌入",
    },
    {
      cite: "Wang 与 Chen，What Do Position Embeddings Learn?，2020",
      url: "https://arxiv.org/abs/2010.04903",
      note: "细看 BERT、RoBERTa 和 GPT-2 的位置表",
    },
    {
      cite: "Shinn，Phantom oscillations in principal component analysis，2023",
      url: "https://doi.org/10.1073/pnas.2311420120",
      note: "为什么平滑的曲线在这种图里看上去像波",
    },
    {
      cite: "Yedidia，GPT-2's positional embedding matrix is a helix，2023",
      url: "https://www.lesswrong.com/posts/qvWP3aBDBaqXvPNhS/gpt-2-s-positional-embedding-matrix-is-a-helix",
    },
    {
      cite: "Dosovitskiy 等，An Image is Worth 16x16 Words，2020，第\u00A03.2\u00A0节与图\u00A07",
      url: "https://arxiv.org/abs/2010.11929",
      note: "为更大的图像缩放位置表；学到的各行之间有多像",
    },
  ],
};

// 正弦位置编码一章：简体中文。`$…$` 是 TeX，构建网站时转成 MathML。
import type { en } from "./text.en.ts";

export const zhCN: typeof en = {
  title: "正弦位置编码",
  lead: "自注意力眼里的句子只是一袋词。最早的 Transformer 给每个词向量加上一个由<strong>波</strong>组成的向量，告诉模型这个词站在哪里：快的波分辨相邻的词，慢的波分辨开头和结尾。",
  table: {
    heading: "用波做成的尺子",
    paragraphs: [
      "位置 $m$ 得到一个由 $d$ 个数组成的向量。这些数两两成对：第 $i$ 对是同一个角度的正弦和余弦，后一对总比前一对转得慢。",
      "$$\\begin{aligned} \\mathrm{PE}(m, 2i) &= \\sin\\!\\left(\\frac{m}{b^{\\,2i/d}}\\right) \\\\ \\mathrm{PE}(m, 2i+1) &= \\cos\\!\\left(\\frac{m}{b^{\\,2i/d}}\\right) \\end{aligned}$$",
      "下面就是整张表。每一行是一个位置的向量，每一列是一个维度。$b$ 叫作<em>底数</em>，论文里取 10 000。",
    ],
    label: "编码的热力图：纵向是位置，横向是维度",
    read: "位置 {row}，维度 {column}（{wave}）：{value}；这一对每隔 {wavelength} 个位置重复一次",
    help: "用鼠标悬停、手指点按或方向键移动（按住 Shift 每次十格）。单击或按回车，就在下面画出这一列的曲线。",
    length: "长度（位置数）",
    dim: "维度数 d",
    base: "底数 b",
    points: [
      "<em>左边</em>的条纹很密：这些维度每隔几个位置就翻转一次。<em>右边</em>从上到下几乎不变。",
      "<em>把底数调小</em>，条纹就从左边挤进来：所有的波都变快，远处的位置开始和近处的相像。",
      "<em>把表拉长</em>，原有的内容不会变：位置 7 的那一行，在短文本和长文本里完全相同。",
    ],
  },
  curves: {
    heading: "一列一列地看",
    paragraphs: [
      "表里的每一列都是一条普通的波。波长按等比数列增长，从第一对的 $2\\pi \\approx 6.28$ 个位置，一直到最后一对的将近 $2\\pi b$。就像计数器上的数字：个位一直在变，最高位几乎不动，合在一起才能表示每一个数。",
    ],
    label: "所选维度在各个位置上的值",
    dimension: "维度 {dimension}",
    wavelength: "波长 {wavelength}",
    remove: "去掉维度 {dimension}",
    value: "值",
    empty: "在上面的热力图里选一列，就能看到它的曲线。",
    read: "位置 {position}",
    spread: "快、中、慢各一条",
  },
  shift: {
    heading: "为什么正弦和余弦都要？",
    paragraphs: [
      "单凭一个正弦值，看不出它正在上升还是下降。配上余弦，就成了圆上的一个点，也就是钟面上的一根指针。往后走 $k$ 个位置，第 $i$ 对的指针就转过 $k \\cdot b^{-2i/d}$，和它原来指向哪里无关。所有这些转动合起来是一个矩阵 $T_k$：",
      "$$\\mathrm{PE}(m+k) = T_k \\, \\mathrm{PE}(m)$$",
      "所以一个线性层就能学会“往前看三个词”：在文本的任何地方，它都是同一个旋转。移动起点，看看彩色的转角是不是不变。",
    ],
    label: "编码中的四对数画成指针：位置 m 和位置 m + k",
    start: "起点 m",
    step: "步长 k",
    pair: "第 {pair} 对",
    note: "转一圈要 {wavelength}",
    caption: "虚线：位置 $m$ 的指针。实线：位置 $m + k$ 的指针。指针直接取自表中的正弦值和余弦值。",
  },
  distance: {
    heading: "离得近，就相像",
    paragraphs: [
      "把两个位置的向量逐项相乘再相加，就是点积。每一对的正弦和余弦合成一个差角的余弦，最后只剩下<em>距离</em>：",
      "$$\\mathrm{PE}(m) \\cdot \\mathrm{PE}(n) = \\sum_{i} \\cos\\!\\left(\\frac{m-n}{b^{\\,2i/d}}\\right)$$",
    ],
    profileLabel: "两个位置编码的点积随距离的变化",
    profileTitle: "点积随距离的变化",
    matrixLabel: "所有位置两两之间的点积",
    matrixTitle: "所有位置两两之间的点积",
    distance: "距离",
    product: "点积",
    readProfile: "距离 {distance}：点积 {value}",
    readMatrix: "位置 {row} 与 {column}：{value}",
    points: [
      "矩阵的<em>每条对角线上的值都相同</em>：起作用的只有距离，不是所在的地方。",
      "它是<em>对称</em>的。单凭点积分不出两个词谁先谁后，这要靠查询和键各自学到的投影来区分。",
      "维度少时曲线有<em>波纹</em>；底数小时曲线会<em>重新升高</em>，远处的词看起来又变近了。",
      "编码是<em>加</em>到词向量上的，所以在注意力里它还会和词的内容相乘，得分不再只取决于距离。下一章看 RoPE 怎样解决这个问题。",
    ],
  },
};

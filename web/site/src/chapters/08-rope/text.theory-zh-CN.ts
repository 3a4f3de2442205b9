// RoPE 的推导、底数，以及用到它的模型：简体中文。
import type { base as enBase, derive as enDerive, shipped as enShipped } from "./text.theory-en.ts";

export const derive: typeof enDerive = {
  heading: "推导：从方程解出旋转",
  paragraphs: [
    "旋转不是猜出来的。苏剑林等人是把它当作方程解出来的（RoFormer 论文第 3.4.1 节；中文见苏剑林的博客“科学空间”）。要找一个函数 $f$，把位置放进查询或键里，使两者的内积只依赖位置之差，并且位置 0 上什么都不变：",
    "$$\\langle f(q, m),\\, f(k, n) \\rangle = g(q, k, m - n)$$",
    "$$f(q, 0) = q$$",
    "<em>先看二维。</em>把两个数看成一个复数，则 $\\langle a, b \\rangle = \\mathrm{Re}(a\\,b^{*})$，其中 $b^{*}$ 是共轭。不妨要求得再强一点：$f(q, m)\\,f(k, n)^{*}$ 本身就只依赖 $m - n$。把各量写成模长和辐角，$f = r\\,e^{i\\phi}$，$g = R\\,e^{i\\Phi}$，得到",
    "$$\\begin{aligned} r(q, m)\\; r(k, n) &= R(q, k, m - n) \\\\ \\phi(q, m) - \\phi(k, n) &= \\Phi(q, k, m - n) \\end{aligned}$$",
    "<em>模长。</em>令 $n = m$，右边就等于位置 0 上的值，所以 $r(q, m)\\,r(k, m) = |q|\\,|k|$。再令 $k = q$，得 $r(q, m) = |q|$：无论在哪个位置，长度都不变。",
    "<em>辐角。</em>仍令 $n = m$，再把同一个词的项移到一边：",
    "$$\\begin{aligned} \\phi(q, m) - \\phi(k, m) &= \\arg q - \\arg k \\\\ \\phi(q, m) - \\arg q &= \\phi(k, m) - \\arg k \\end{aligned}$$",
    "可见第二行的差与词无关，只与位置有关，记作 $\\psi(m)$。再令 $n = m - 1$：",
    "$$\\begin{aligned} \\psi(m) - \\psi(m - 1) &= \\Phi(q, k, 1) \\\\ &\\quad + \\arg k - \\arg q \\end{aligned}$$",
    "右边与 $m$ 无关，所以 $\\psi$ 是等差数列；又因为 $\\psi(0) = 0$，于是 $\\psi(m) = m\\theta$：",
    "$$f(q, m) = q\\,e^{i m \\theta}$$",
    "<em>写成矩阵。</em>乘以 $e^{im\\theta}$，就是把这两个数旋转一个角度：",
    "$$f(q, m) = \\begin{pmatrix} \\cos m\\theta & -\\sin m\\theta \\\\ \\sin m\\theta & \\cos m\\theta \\end{pmatrix} \\begin{pmatrix} q_0 \\\\ q_1 \\end{pmatrix}$$",
    "<em>推广到 $d$ 维。</em>内积满足线性叠加：$d$ 维的内积是各对二维内积之和。每一对各转各的角度，每一项都只依赖 $m - n$，总和也就如此。整个变换是一个分块对角矩阵：",
    "$$R_m = \\begin{pmatrix} R(m\\theta_0) & & \\\\ & \\ddots & \\\\ & & R(m\\theta_{d/2-1}) \\end{pmatrix}$$",
    "$$R_m^{\\top} R_n = R_{n-m}$$",
    "<em>写成代码</em>时不会真的造出矩阵，因为里面几乎全是 0。每个数乘一个余弦，它的搭档乘一个正弦就够了（这里是相邻式，$c_i = \\cos m\\theta_i$，$s_i = \\sin m\\theta_i$，$\\odot$ 表示逐位相乘）：",
    "$$R_m\\,q = \\begin{pmatrix} q_0 \\\\ q_1 \\\\ q_2 \\\\ q_3 \\\\ \\vdots \\end{pmatrix} \\odot \\begin{pmatrix} c_0 \\\\ c_0 \\\\ c_1 \\\\ c_1 \\\\ \\vdots \\end{pmatrix} + \\begin{pmatrix} -q_1 \\\\ q_0 \\\\ -q_3 \\\\ q_2 \\\\ \\vdots \\end{pmatrix} \\odot \\begin{pmatrix} s_0 \\\\ s_0 \\\\ s_1 \\\\ s_1 \\\\ \\vdots \\end{pmatrix}$$",
    "推导没有规定转速 $\\theta_i$。RoFormer 沿用了正弦位置编码的频率：$\\theta_i = b^{-2i/d}$，其中 $b = 10\\,000$。",
  ],
};

export const base: typeof enBase = {
  heading: "底数该取多大？",
  paragraphs: [
    "和查询相似的键，不管离得多远，分数都应该高于随便一个键。对各维独立、方差为 $\\sigma^2$ 的随机向量，两种分数平均相差",
    "$$2\\sigma^2 \\sum_{i=0}^{d/2-1} \\cos(m\\,\\theta_i), \\qquad \\theta_i = \\link{base}{b}^{-2i/d}$$",
    "这个和一旦为负，相似的键分数反而<em>低于</em>随机的键。Men 等（2024，百川智能）要求它在整个上下文长度之内都不小于零，由此得到底数的下界。下图画的是 $d = 128$ 的头，和已除以 $d/2$。",
  ],
  points: [
    "取 $b = 10\\,000$，不到距离 2000，和就已经为负。Men 等人给出的下界是：长度 4096 约为 27 000，长度 8192 约为 84 000。高频的对使这个和上下抖动，所以移动底数时，首次为负的距离会跳来跳去，总的趋势是越来越远。",
    "低于下界，也不会立刻失效：Llama 2 用 $b = 10\\,000$ 训练，长度是 4096。但在 Men 等人的实验里，底数低于下界的模型困惑度依然很低，却找不到远处的信息了。",
    "底数越大，低频的对转得越慢：Llama 3 用 500 000，Qwen2.5 用一百万。训练好的模型怎样做长度外推，为什么高频的对最好不动（“高频外推，低频内插”），见<a href='./long-context.html'>第 10 章</a>。",
  ],
  figure: {
    title: "余弦之和从哪里开始变负",
    shows: "底数的滑块，各对余弦之和首次为负的距离，以及余弦平均值随距离（对数轴）的变化。",
    base: "底数 b",
    first: "首次为负：距离 {first}",
    never: "到距离 {farthest} 为止都不为负",
    chart: "64 对余弦的平均值随距离的变化",
    distance: "距离",
    mean: "余弦的平均值",
    read: "距离 {distance}：{mean}",
    bound: "和首次为负的距离",
    reach: "首次为负",
  },
};

export const shipped: typeof enShipped = {
  heading: "实际模型里的 RoPE",
  paragraphs: [
    "<em>RoFormer</em>（2021，追一科技）就是提出 RoPE 的那篇论文里的模型：一个类似 BERT 的编码器，用中文语料训练。此后 GPT-J 和 GPT-NeoX 把 RoPE 带进英文语言模型，Llama 让它成为惯例。",
    "<em>ChatGLM-6B</em> 按两个位置旋转：一半的对数的是提示里的位置，到提示末尾就不再增加；另一半数的是回答里的位置。",
    "<em>百川</em>（Baichuan 2）两条路都走了：7B 用 RoPE，13B 用 ALiBi。技术报告说，两种选择对效果影响不大。",
    "<em>通义千问</em>（Qwen）最初用 10 000 的底数，推理时遇到更长的输入再调大；Qwen2.5 用 1 000 000 训练，配合 YaRN 可达 131 072 个词元。",
    "<em>DeepSeek</em> V2 和 V3 把每个词元的键和值压缩成一个短向量，用的时候再由一个矩阵还原（多头潜在注意力，MLA）。只要中间没有旋转，这个矩阵就可以预先并进查询的矩阵里。所以位置另用一组数：每个头 192 维，其中 128 维不转，64 维旋转，键里旋转的那部分由所有的头共用。论文称之为<em>解耦的 RoPE</em>（decoupled RoPE）。",
    "这些模型和更多模型的具体参数见<a href='./models.html'>第 12 章</a>。",
  ],
};

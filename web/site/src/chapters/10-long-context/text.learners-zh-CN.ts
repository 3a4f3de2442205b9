// 长上下文一章的小学习器：简体中文。
import type { learnersEn } from "./text.learners-en.ts";

export const learnersZhCN: typeof learnersEn = {
  heading: "自己来训练",
  paragraphs: [
    "擂台上的模型是事先训练好的；这里的模型就在你的电脑上训练：两层注意力，训练文本最多 12 个符号，位置编码由你来选。训练完再考它们，文本最长达到训练时的四倍。",
  ],
  points: [
    "<em>阴影以内</em>，好几种编码几乎全都学会了，从那里看不出谁能走得更远：<strong>阴影右边的曲线才是结果。</strong>",
    "<em>复制</em>（种子 1 到 3）：RoPE 抄 12 个符号几乎一字不错，抄 20 个却只对一两个：那样的距离训练时从未有过。T5、Shaw、ALiBi 和 CoPE 还能接着抄，只是越来越差。<em>查找</em>：在 48 个符号里，CoPE 和 Shaw 仍然找得到星号；ALiBi 也行，不过三个种子里有一个到训练结束还没学会。",
    "<em>倒写</em>最难：1600 步之内，只有 CoPE 每个种子都学会了，T5 三个里学会两个，可学习的表三个里学会一个。<em>计数</em>用不着位置：完全没有位置编码的，48 个符号时十题还能对六题，比哪种编码都多；而在训练过的长度上，只有 CoPE 几乎从不数错。",
    "<em>这些结果不必太当真</em>：每个模型只有一万多个数，训练不过几秒。换一个种子曲线就会移动，多训练几步有些失败也能补上。在这里没学会的，大一些的模型未必学不会。",
  ],
  figure: {
    title: "小学习器",
    shows:
      "两幅图，画的是在页面里训练的小模型，每种位置编码一条线：训练过程中的损失，以及答对的比例随文本长度的变化，训练过的长度带有阴影。用按钮选择任务和编码。",
    caption:
      "两层因果注意力，四个头，每头宽 8，总宽 32，没有前馈层；用 Adam 训练，学习率从 0.01 降到 0。种子相同的模型从同样的权重出发，读同样的文本；考题都没有训练过。可学习的表为所有长度都备了行，但训练长度以外的行一直是初始的随机值。T5 有 16 个桶，最远到距离 32；Shaw 截断在 16，CoPE 截断在 32；文本很短，所以 RoPE 的底数取 100；每一层各用一份编码。在同一台机器上，种子相同，曲线也相同。",
    task: "任务",
    tasks: { copy: "复制", retrieve: "查找", reverse: "倒写", count: "计数" },
    wants: {
      copy: "竖线之后：把文本再写一遍。",
      retrieve: "竖线之后：紧跟在星号后面的是哪个字母？",
      reverse: "竖线之后：把文本从后往前写一遍。",
      count: "在每个位置上：到这里为止有几个星号（最多 9 个）？考试只看最后一处。",
    },
    place: "位置",
    read: "读到的",
    written: "要写的",
    encodings: "要训练的编码",
    names: {
      none: "无位置编码",
      learned: "可学习的表",
      sinusoidal: "正弦",
      shaw: "Shaw",
      t5: "T5",
      alibi: "ALiBi",
      rope: "RoPE",
      cope: "CoPE",
    },
    steps: "训练步数",
    seed: "随机种子",
    train: "开始训练（还有 {count} 个）",
    training: "正在训练……",
    lossTitle: "训练中的损失",
    lossLabel: "损失随训练步数的变化，每种编码一条线",
    step: "步数",
    loss: "奈特",
    readLoss: "{step} 步：{values}",
    examTitle: "答对的比例与长度",
    examLabel: "答对的比例随文本长度的变化，每种编码一条线",
    length: "文本的符号数",
    right: "答对",
    readExam: "{length} 个符号：{values}",
    trained: "训练过",
    question: {
      copy: "先猜一猜：只训练到 {trained} 个符号，谁复制 {longest} 个符号时最准？",
      retrieve: "先猜一猜：只训练到 {trained} 个符号，谁在 {longest} 个符号里最能找到星号？",
      reverse: "先猜一猜：只训练到 {trained} 个符号，谁倒写 {longest} 个符号时最准？",
      count: "先猜一猜：只训练到 {trained} 个符号，谁在 {longest} 个符号里把星号数得最准？",
    },
    result: "{name}：{trained} 个符号时答对 {near}%，{longest} 个时答对 {far}%",
    yourGuess: "你猜的",
  },
};

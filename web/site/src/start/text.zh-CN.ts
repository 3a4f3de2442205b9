// 首页：简体中文。
import type { en } from "./text.en.ts";

export const zhCN: typeof en = {
  title: "词在哪里？",
  what: "一门可以动手的位置编码课，外加计算这些编码的 WebAssembly 库。",
  doors: {
    label: "三个入口",
    learn: {
      title: "学",
      ways: [
        { href: "./film.html", time: "75 秒", what: "看一部短片" },
        { href: "./babble.html", time: "十分钟", what: "模型一过 4096 个词元就胡言乱语，为什么？怎么修？" },
        { href: "./order.html", time: "两小时", what: "十三章，每章都有可以动手的图" },
      ],
    },
    use: { title: "用", summary: "，几行代码上手" },
    check: { title: "检查我的模型", summary: "贴上 config.json，看它的位置、缩放和常见错误" },
  },
  lead: "“狗咬人”和“人咬狗”用的是同样的词。今天的语言模型背后是 Transformer，它一眼看到所有的词，自己却分不出谁在<strong>最前</strong>、谁在<strong>最后</strong>。<em>位置编码</em>，就是用一点数学把词序告诉它。",
  shuffle: {
    title: "打乱词序：哪种注意力会察觉？",
    shows: "一个可以打乱词序的句子，以及每个词的注意力输出，画成色块：一次不加位置，一次用 RoPE。",
    sentence: "狗 刚才 咬了 那个 人",
    words: "按顺序排列的词",
    help: "把一个词拖到另一个词上，或依次点两个词，或者直接打乱。",
    button: "打乱词序",
    back: "恢复原来的顺序",
    none: "不加位置的注意力",
    rope: "同样的注意力，加上 RoPE",
    tile: "“{word}”的输出",
    startNone: "每个色块，是注意力为上方那个词算出的输出，一格是一个数。",
    startRope: "打乱词序，看看哪些色块会变。",
    same: "每个词的输出都没变：这个注意力毫无察觉。",
    place: "位置",
    word: "词",
    change: "输出的变化，{method}",
    fresh: "变了",
    changed: "{count} 个输出中有 {changed} 个变了：这个注意力知道词站在哪里。",
  },
  field: {
    title: "答案：一排快慢不同的钟",
    sentence: "位置就是一排快慢不同的钟：把两个位置的钟逐只对照，看指针的夹角，就知道隔了多远。",
    shows:
      "铺满一屏的钟。每一行是一个位置，从左到右，钟走得越来越慢。其中两行相互比较：一行的每只钟上都有一个扇形，表示它的指针与另一行同一只钟相差多少。",
    label: "位置",
    fast: "快钟",
    slow: "慢钟",
    read: "位置 {other} 与位置 {at} 相隔 {apart}。扇形是同一只钟的两根指针的夹角。任何相隔 {apart} 的两个位置，扇形都一样。",
    same: "位置 {at}：{pairs} 只钟，快慢各不相同。再选一行和它比一比。",
    help: "指向一行即可选中，点一下就以它为比较对象。指针朝右，钟面偏暖；朝左，偏蓝。",
    table: "两个位置的钟，由快到慢",
    clock: "钟",
    column: "{part}，位置 {position}",
    likenessTable: "两个位置的钟有多相似：各钟指针夹角余弦的平均，相同为 1",
    positions: "位置",
    likeness: "相似度",
  },
  chapters: {
    heading: "十三章，从计数到长上下文",
    revise: '学过一遍了？<a href="./revise.html">两分钟复习</a>，附一张示意图。',
  },
  more: "各章之外",
  code: {
    heading: "图背后的库",
    paragraphs: [
      "这里的每幅图都由 <em>posenc</em> 计算：C++ 内核编译成 WebAssembly SIMD，外面是 TypeScript 接口。它没有任何依赖，算出的正弦和余弦是最接近真值的浮点数，或与之相邻的那一个。",
    ],
    install: "安装",
    sample: "同样的词，靠位置来区分",
    docs: '<a href="../api/index.html">API 文档</a>（英文）列出全部调用，<a href="../api/documents/Encodings.html">每种编码各有一页</a>：公式、字段和可运行的例子。',
    badge: "本页运行的版本：{variant}",
  },
};

// 短片：简体中文。字幕的时间在 script.ts 里。
import type { FilmText } from "./text.en.ts";

export const zhCN: FilmText = {
  title: "75 秒看懂位置编码",
  lead: "从一袋词到 RoPE，不用一个公式。画面都是边放边算的。",
  figure: {
    title: "四幕短片",
    shows:
      "两句话掉进袋子，成了同一袋词；用数字计数，数字淹没了词；一排快慢不同的钟指出词在哪里；RoPE 让查询和键自己转动，最后只剩下两者的夹角。",
  },
  player: {
    label: "短片",
    time: "时间",
    at: "{time} / {all}：{scene}",
    back: "上一条字幕",
    on: "下一条字幕",
    scenes: "各幕",
    keys: "空格键播放或暂停，左右方向键快退或快进 2 秒。",
    stills: "你的系统设置了减少动态效果：短片以静止画面播放，每条字幕一幅。",
  },
  scenes: {
    bag: {
      title: "一袋词",
      captions: [
        "两句话，词一模一样，只是顺序不同：追的和逃的换了个儿。",
        "注意力一眼看到所有的词。在它眼里，一句话就是一袋词，不分先后。",
        "它为“猫”算出的结果，两句完全相同。谁追谁，已经分不清了。",
      ],
    },
    count: {
      title: "计数",
      captions: [
        "那就数数：1、2、3……给每个词一个编号。",
        "可是编号越数越大，没有尽头。用不了多久，词本身就小得看不见了。",
        "把编号压缩到 0 和 1 之间？那么每篇文章里，一步的大小都不一样。",
      ],
    },
    clocks: {
      title: "钟",
      captions: [
        "更好的办法是一排钟：每根指针快慢不同，但谁也走不出自己的钟面。",
        "所有指针合在一起，就是位置。三个位置，三排钟各不相同。",
        "相邻的位置，钟很相似；离得远的，就不像了。",
      ],
    },
    rope: {
      title: "RoPE",
      captions: [
        "RoPE 不往词上加任何东西，而是直接转动查询和键：一个转到 3，一个转到 5。",
        "两者的分数只看两根指针的夹角：相隔两步。",
        "往后挪一百个位置，两根指针都接着转。夹角不变，分数也不变。",
      ],
    },
    end: { title: "结尾", captions: ["按位置转动，按夹角比较：模型就这样知道两个词隔了多远。"] },
  },
  picture: {
    first: "猫 追 老鼠",
    second: "老鼠 追 猫",
    word: "猫",
    wordValues: "词",
    number: "编号",
    text: "{count} 个词",
    step: "一步 {step}",
    fast: "快",
    slow: "慢",
    position: "位置 {position}",
    likeness: "相似度",
    query: "查询在 {position}",
    key: "键在 {position}",
    positions: "位置",
    angle: "夹角",
    score: "分数",
    closing: ["按位置转动，", "按夹角比较。"],
  },
  tables: {
    squeezed: "位置压缩到 0 和 1 之间：一步有多大",
    length: "词数",
    likeness: "两个位置的钟，指针夹角余弦的平均，相同为 1",
    with: "相似度",
    turned: "RoPE 之下，查询和键的一对维度",
  },
  transcript: { heading: "短片的文字版", chapter: "详见：{title}" },
};

// 长上下文一章的找针：简体中文。
import type { needleEn } from "./text.needle-en.ts";

export const needleZhCN: typeof needleEn = {
  heading: "藏一个密码",
  paragraphs: [
    "擂台上的找针是怎么测出来的，这里可以亲手试一试。一段文本里藏着十六个字母；到了末尾，它们的前四个再次出现。后面的十二个，模型接得上吗？",
  ],
  points: [
    "<em>找找边界在哪里</em>：原样的 RoPE 隔着 208 个字符还找得到密码，隔着 320 个就丢了。用上 YaRN，倍数有多大，边界就退多远。",
    "<em>ALiBi</em> 是慢慢松手的：512 处几乎全对，1024 处对一半多，1536 处只剩一成。<em>SelfExtend 和 ReRoPE</em> 到了 3072 还找得到，那么远的距离模型从未训练过。",
  ],
  figure: {
    title: "现场找针",
    shows:
      "十六个字母的密码藏在文本里，距离由你选择；密码再次开头时语言模型会说什么；还有一幅折线图，画出测得的找到比例随距离的变化，你的尝试是其中的点。",
    caption:
      "由擂台上的英文模型来读一段没有训练过的文本；问十二个字母中的每一个时，它前面的都按正确的给出。折线是许多段文本、许多个密码的平均；一个点只是一段文本、一个密码，会在折线上下浮动。只用小写字母，和模型训练时一样。",
    seeker: "谁来找",
    factor: "位置插值、NTK、YaRN 的倍数",
    hidden: "相隔的字符数",
    own: "自己的密码（16 个字母，a–z）",
    between: "……{count} 个字符的文本……",
    seek: "开始找（要下载 {megabytes} MB）",
    seekAgain: "开始找",
    another: "换一个密码",
    seeking: "正在读……",
    nothing: "还没有找过。",
    outcome: "{who}，相隔 {distance} 个字符：",
    share: "答对 {percent}%。",
    chartTitle: "{who}：找到的字母与距离",
    chartLabel: "找到的字母所占比例随距离的变化：测量值和你的尝试",
    measured: "测量值",
    yours: "你的尝试",
    distance: "相隔的字符数",
    found: "找到",
    trained: "训练长度",
    here: "你的密码",
    read: "相隔 {distance}：测得 {percent}%",
    table: "测得的找到比例",
    tries: "你的尝试",
    key: "密码",
    said: "模型所说",
  },
};

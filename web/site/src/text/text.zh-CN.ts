// 每一页都要用到的词句：简体中文。
import type { CommonText } from "../lib/i18n.ts";

export const zhCN: CommonText = {
  siteName: "posenc",
  skip: "跳到正文",
  navigation: "章节",
  chapters: { index: "首页", sinusoidal: "正弦位置编码", rope: "旋转位置编码与注意力" },
  otherLanguage: "English",
  darkTheme: "深色主题",
  lightTheme: "浅色主题",
  loading: "正在加载 WebAssembly 模块……",
  failedTitle: "这幅图要用到 WebAssembly 模块，但模块没有加载成功。",
  failedHint: "没有图也可以阅读正文。刷新页面或许能解决问题。",
  failedDetail: "出错原因：{message}",
  retry: "重试",
  computed: "由 {variant} 版本在你的设备上计算，用时 {time} 毫秒",
  variants: { relaxed: "宽松 SIMD", simd: "SIMD", scalar: "标量" },
  position: "位置",
  dimension: "维度",
  reset: "还原",
  previous: "上一章",
  next: "下一章",
  footer: "本页的每个数字都由 posenc 在你的浏览器里算出，不会向任何地方发送数据。",
};

// 《胡言乱语》一文里排查两个嫌疑的图：简体中文。
import type { TrialsFigureText } from "./text.trials-en.ts";

const words = {
  trial: "试验",
  loss: "损失",
  outcome: "结果",
  reads: "读得好好的",
  babbles: "乱了",
  here: "此处：",
  button: "在这里试一段（需下载 {megabytes} MB）",
  again: "在这里试一段",
  running: "正在读……",
};

export const shortZhCN: TrialsFigureText = {
  ...words,
  title: "第一个嫌疑：记忆",
  guide: "紫色：模型以为这些字在哪里。绿色：连续 256 个，训练时最多这么长。横条：损失；虚线：平时的损失。",
  shows: "同样的 200 个字，三种编号方法，画成线上的色块；旁边是每种编号下模型猜后 100 个字猜得有多差。",
  caption: "第 101 到 200 个字的平均损失，取六段模型从没读过的文字。",
  table: "200 个字里后 100 个的损失",
  trials: {
    short: { name: "照常编号", told: "位置 0 到 199" },
    moved: { name: "整段挪到远处", told: "还是这些，全部后移 10 000" },
    apart: { name: "中间留个空", told: "后一半后移 400" },
  },
};

export const manyZhCN: TrialsFigureText = {
  ...words,
  title: "第二个嫌疑：注意力",
  guide: "紫色：注意力听到的距离。绿色：到 256 为止，训练时只到这里。横条：损失；虚线：平时的损失。",
  shows:
    "同样的 512 个字读两遍：一遍用真实的距离，一遍距离最多算 192，都画成线上的色块；旁边是模型猜后 256 个字猜得有多差。",
  caption: "第 257 到 512 个字的平均损失，取六段文字。两遍都是每个字能看见前面所有的字。",
  table: "512 个字里后一半的损失",
  trials: {
    long: { name: "真实的距离", told: "最远 511" },
    capped: { name: "善意的谎话", told: "再远也只算 192" },
  },
};

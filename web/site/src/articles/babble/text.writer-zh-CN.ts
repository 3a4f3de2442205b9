// 《胡言乱语》一文里接着往下写的模型：简体中文。
import type { writerEn } from "./text.writer-en.ts";

export const writerZhCN: typeof writerEn = {
  label: "你来开个头（模型读过的是古诗词）",
  button: "让它往下写（需下载 {megabytes} MB）",
  again: "让它往下写",
  legend: "有颜色的：第 {trained} 个字以后，训练从没到过那里。",
  repaired: "修法：{repair}。有颜色的：第 {trained} 个字以后，训练从没到过那里。",
  writing: "正在写……",
  done: "写了 {count} 个字，模型训练时只到 {trained} 个字。",
};

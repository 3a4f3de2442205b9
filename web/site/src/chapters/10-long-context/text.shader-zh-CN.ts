// 长上下文一章里由 GPU 计算的角度：简体中文。
import type { shaderEn } from "./text.shader-en.ts";

export const shaderZhCN: typeof shaderEn = {
  heading: "你的 GPU 算出的角度",
  paragraphs: [
    "模型在 GPU 上运行，许多程序连角度也在那里算。这里就让它算一遍：着色器把位置乘以频率，再取余弦和正弦，先用 float32，再用 float16。图中是指针与精确方向相差多少，以圈为单位。",
    "WebGPU 只对 $-\\pi$ 到 $\\pi$ 之间的角度保证余弦的精度，float32 是 $2^{-11}$，float16 是 $2^{-7}$。更大的角度会得到什么，由 GPU 的厂家决定。",
  ],
  points: [
    "<em>半圈就到头了</em>：指针不可能偏得更远，偏到那里，它就什么也说明不了。",
    "<em>float16 最先迷路。</em>从 2048 起它没有奇数：最差的一对在那里已经偏掉一圈的一大截，不久就偏到半圈。65 504 以后的位置它根本没有，线也就断了。",
    "<em>float32 到</em> $2^{24}$ <em>左右也迷路了</em>：最快的几对在那里角度已经很大，光是乘积的舍入就会让它偏掉一圈的一大截。在开头，GPU 的线可能高于处理器的线，那里粗糙的是余弦本身。",
    "<em>posenc 不在 GPU 上算角度。</em><code>posenc/webgpu</code> 把在任何位置都精确的余弦和正弦送过去，GPU 只做乘法和加法。",
  ],
  figure: {
    title: "角度的误差：float16 与 float32",
    shows: "一幅双对数图：用 float16 和 float32 算出的角度与精确角度相差多少圈，位置一直到二十亿。",
    asking: "正在向浏览器要 GPU；在它回答之前，这些数由处理器计算。",
    none: "这个浏览器在这里没有 WebGPU。这些数由处理器按同样的舍入计算。",
    software: "软件适配器（{name}）：在处理器上代替 GPU 计算的程序。",
    card: "由这块 GPU 计算：{name}。",
    withoutHalf: "它没有 float16：那些数由处理器按同样的舍入计算。",
    pair: "维度对编号",
    worst: "{width}，最差的一对",
    one: "{width}，第 {pair} 对",
    label: "角度的误差随位置的变化，以圈为单位，两个轴都取对数",
    position: "位置",
    error: "圈",
    read: "位置 {position} 附近：{values}",
    entry: "{name}：{value}",
    zero: "没有误差",
    table: "各位置上角度的误差，以圈为单位",
    from: "起始位置",
  },
};

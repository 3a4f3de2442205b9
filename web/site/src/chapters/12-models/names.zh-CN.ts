// 各种编码的名称，以及个别模型需要知道的事：简体中文。
import { kinds } from "../../text/kinds.gen.ts";
import { chineseKinds } from "../../text/kinds.zh-CN.ts";
import type { names as en } from "./names.en.ts";

export const names: typeof en = {
  kinds: { ...kinds, ...chineseKinds },
  endings: {
    ", language model": "，语言模型",
    ", image encoder": "，图像编码器",
    ", text side": "，文本侧",
    ", image side": "，图像侧",
    ", points and boxes": "，点与框",
    ", memory attention": "，记忆注意力",
    ", time step": "，时间步",
    ", patches": "，图块",
    ", encoder": "，编码器",
    ", distilled": "，蒸馏版",
    ", coordinates": "，坐标",
    ", axial": "，轴向",
    " (proteins)": "（蛋白质）",
    " (Chinese)": "（中文）",
    " (video)": "（视频）",
    " (global layers)": "（全局层）",
    " with YaRN": "（带 YaRN）",
    " with RoPE": "（带 RoPE）",
    " with relative positions": "（相对位置）",
  },
  notes: {
    "roberta-base": "从 2 开始计数：表比能容纳的词元多两行。",
    "t5-small": "解码器另有自己的偏置，只管前面的键。",
    "bart-base": "从 2 开始计数。",
    "longformer-base": "从 2 开始计数。",
    "m2m100-418m": "从 2 开始计数，排在填充那一行之后。",
    "modernbert-base": "这里显示的是看全文的层；窗口为 128 的层底数是 10 000。",
    "opt-6.7b": "从 2 开始计数。",
    "falcon-7b": "Falcon 7B 用旋转；Falcon RW 用 ALiBi。",
    "mistral-7b-v0.1": "每一层只看 4096 个词元的窗口。",
    "gemma-3-4b": "这里显示的是看全文的层；其余的层只看一个窗口，底数 10 000，不缩放。",
    "gemma-4": "带窗口的层旋转全部特征，底数 10 000。",
    "glm-130b": "只有一个位置轴；它之前的 GLM 和之后的 ChatGLM‑6B 都有两个。",
    "chatglm-6b": "两个轴：一个数提示词，数到结尾为止；另一个数回答。",
    "qwen-7b": "超出长度后，查询还会按位置的对数放大（LogN）；续写时沿用提示词的底数。",
    "qwen2.5-7b-instruct-1m": "超过 262 144 个词元，就分块把距离折回来（双块注意力，DCA）。",
    "deepseek-v2-lite": "潜在注意力（MLA）：每头 192 维里旋转 64 维，旋转的键由所有的头共用一个。",
    "deepseek-v3": "softmax 的缩放系数也随倍数增大。",
    "detr-resnet-50": "图像有填充时，只数看得见的像素。",
    "mae-base": "类别词元的那一行全为零。",
    "swin-tiny": "各阶段的头数不同；位置在 7 × 7 的窗口内计数。",
    "swinv2-tiny": "各阶段的头数不同；分数是余弦，再乘以可学习的系数。",
    "swin2sr-classical-x2": "分数是余弦，再乘以可学习的系数。",
    "sam-vit-base-prompts": "频率是随机的：要装入检查点里的频率。",
    "sam-vit-base-vision": "分数上还要加相对的行和列。",
    "dinov2-base": "换了尺寸，就缩放 37 × 37 的网格。",
    "qwen2-vl-vision": "图块按 2 × 2 一组排列。",
    "qwen3-vl-vision": "图块上还要加一张 48 × 48 的可学习网格。",
    "pixtral-12b-vision": "Mistral 自己的权重旋转相邻的特征。",
    "flux-1-dev": "文本位于 [0, 0, 0]，图块位于 [0, row, column]。",
    "qwen-image": "行和列从图像中央开始数：中央之前为负。",
    "whisper-tiny": "解码器用的是 448 行的可学习表。",
  },
  uses: {
    "short-text": {
      name: "短文本的分类或比较",
      reason: "文本的最大长度已知，每个位置一行，任务需要什么就学什么。",
    },
    "long-generation": {
      name: "写长文本、对话",
      reason: "分数只取决于距离，不需要学习，缓存的键一直有效，以后还能用缩放规则加长。",
    },
    "context-extension": {
      name: "让训练好的模型读得更长",
      reason: "低频维度对做插值，高频维度对保持不变，训练好的模型只要少量微调就能看得更远。",
    },
    relative: {
      name: "只关心距离的任务",
      reason: "重要的是两个词元相隔多远；为每种距离学一个数或一个向量，说得最直接。",
    },
    lightweight: {
      name: "越简单越好",
      reason: "没有参数，也不用旋转：每个头一个斜率，加到分数上。",
    },
    compatibility: {
      name: "到处都要能运行",
      reason:
        "一张固定的表，任何模型、任何框架都能把它加到特征上。任何位置都有对应的行；至于模型能否应付训练时没见过的位置，则是另一回事。",
    },
    vision: {
      name: "图像",
      reason: "网格大小固定，换尺寸就插值；窗口偏置和轴向旋转认得行和列。",
    },
    multimodal: {
      name: "词和图像在一起",
      reason: "时间、行、列各转各的对，文本则让所有的对一样转：一个序列装得下两者。",
    },
    speech: {
      name: "语音与声音",
      reason: "帧又多又均匀：整段音频用固定的表就够，流式处理则用相对位置向量。",
    },
  },
};

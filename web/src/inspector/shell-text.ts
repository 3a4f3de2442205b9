// Texts of the element around the result.

const en = {
  choose: "Choose files",
  hint: "or drop them here: an .onnx or .gguf file, a config.json, or a folder with a model and its config.json.",
  privacy: "Files stay on this device: nothing is uploaded.",
  reading: "Reading {name}",
  stop: "Stop",
  stopped: "Stopped.",
  again: "Read again",
  failed: "{name} cannot be read.",
  finished: "{name} was read.",
  result: "Positions of {name}",
  aFile: "The file",
};

export type ShellText = typeof en;

const zhCN: ShellText = {
  choose: "选择文件",
  hint: "或拖到这里：.onnx 或 .gguf 文件、config.json，或者含有模型及其 config.json 的文件夹。",
  privacy: "文件只在本机读取，不会上传。",
  reading: "正在读取 {name}",
  stop: "停止",
  stopped: "已停止。",
  again: "重新读取",
  failed: "无法读取 {name}。",
  finished: "已读取 {name}。",
  result: "{name} 的位置编码",
  aFile: "文件",
};

export const shellText = (chinese: boolean): ShellText => (chinese ? zhCN : en);

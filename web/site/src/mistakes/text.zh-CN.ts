export const zhCN = { title: "x" };

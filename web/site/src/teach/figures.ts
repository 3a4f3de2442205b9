// The figures of the course, by chapter, with their titles in both languages.
import en from "virtual:figures/en";
import zhCN from "virtual:figures/zh-CN";

export const figures = { en, "zh-CN": zhCN };

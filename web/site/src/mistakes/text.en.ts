export const en = { title: "x" };

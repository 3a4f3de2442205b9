// The model that writes on, in the article on babbling: English.

export const writerEn = {
  label: "A beginning of yours (the model knows the English of the old Bible)",
  button: "Let it write on ({megabytes} MB to load)",
  again: "Let it write on",
  legend: "Coloured = past character {trained}, where training ended.",
  repaired: "Repaired: {repair}. Coloured = past character {trained}, where training ended.",
  writing: "Writing …",
  done: "{count} characters are written; the model was trained on {trained}.",
};

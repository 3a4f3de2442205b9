// Words that every page needs: English.

export const en = {
  siteName: "posenc",
  skip: "Skip to the text",
  navigation: "Chapters",
  chapters: { index: "Start", sinusoidal: "Sinusoidal", rope: "RoPE and attention" },
  otherLanguage: "简体中文",
  darkTheme: "Dark theme",
  lightTheme: "Light theme",
  loading: "Loading the WebAssembly module…",
  failedTitle: "This figure needs the WebAssembly module, and it did not load.",
  failedHint: "The text around it can be read without it. Reloading the page may help.",
  failedDetail: "What went wrong: {message}",
  retry: "Try again",
  computed: "Computed on your machine by the {variant} build in {time} ms",
  variants: { relaxed: "relaxed SIMD", simd: "SIMD", scalar: "scalar" } as Record<string, string>,
  position: "position",
  dimension: "dimension",
  reset: "Reset",
  previous: "Previous chapter",
  next: "Next chapter",
  footer: "Every number on this page was computed in your browser by the posenc library. Nothing is sent anywhere.",
};

// Runs before the first paint. The reader's choice on the tutorial holds here as long as there is none of this part.
try {
  document.documentElement.dataset.theme =
    localStorage.getItem("tsd-theme") ?? localStorage.getItem("posenc-theme") ?? "os";
} catch {
  // Without storage the page follows the system.
}

// Runs before the first paint, as a file of its own because the Content-Security-Policy forbids inline scripts.
try {
  const theme = localStorage.getItem("posenc-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the page follows the system.
}

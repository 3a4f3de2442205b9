// Runs before the first paint, as a file of its own because the Content-Security-Policy forbids inline scripts.
try {
  const { dataset } = document.documentElement;
  const query = new URLSearchParams(location.search);
  // A figure alone, in a frame of another page, has the colours that this page asks for, or the system's.
  const figure = query.get("embed");
  if (/^[\w-]+$/.test(figure ?? "")) dataset.embed = figure;
  const theme = dataset.embed ? query.get("theme") : localStorage.getItem("posenc-theme");
  if (theme === "light" || theme === "dark") dataset.theme = theme;
} catch {
  // Without storage the page follows the system.
}

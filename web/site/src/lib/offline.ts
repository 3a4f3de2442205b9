// After the first visit the tutorial is there without a network, too.
import type { Locale } from "./i18n.ts";

export function keepForOffline(locale: Locale): void {
  // Only in the built site, and only where browsers allow it (https, localhost).
  if (!import.meta.env.PROD || !("serviceWorker" in navigator) || !window.isSecureContext) return;
  const folder = locale === "en" ? "./" : "../";
  // The page comes first: keeping the others must not compete with its own files.
  const keep = () => void navigator.serviceWorker.register(`${folder}sw.js`, { scope: folder }).catch(() => undefined);
  if (document.readyState === "complete") keep();
  else window.addEventListener("load", keep, { once: true });
}

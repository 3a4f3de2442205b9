// Pages of the tutorial in Chromium. Whatever the page complains of fails the test that opened it.
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright";
import { expect, inject } from "vitest";
import { chromiumOptions, softwareAdapter } from "../js/chromium.mjs";

export type Locale = "en" | "zh-CN";
export const locales: Locale[] = ["en", "zh-CN"];

const running = new Map<boolean, Browser>();

/** The browser of this worker, for all its files: it ends with the process. */
async function theBrowser(withAdapter: boolean): Promise<Browser> {
  const known = running.get(withAdapter);
  if (known?.isConnected()) return known;
  const started = await chromium.launch(chromiumOptions(...(withAdapter ? softwareAdapter : [])));
  running.set(withAdapter, started);
  return started;
}

/** Not said by the page. */
const messagesOfOthers = new Set([
  // By Playwright: a service worker would answer for files that the test wants to see asked for.
  "Service Worker registration blocked by Playwright",
  // By Chromium, where a page asks for a GPU and there is none.
  "No available adapters.",
]);

export interface OpenOptions extends BrowserContextOptions {
  locale?: Locale;
  width?: number;
  /** What follows the address: "#v=2&…". */
  hash?: string;
  /** Figures far below are left unmounted, as a reader finds them; without it all are there, as they are printed. */
  asFound?: boolean;
  /** Runs in the page before its own scripts. */
  before?: () => void;
  /** WebGPU on the software adapter that Chromium brings. */
  withAdapter?: boolean;
}

export interface Opened {
  page: Page;
  complaints: string[];
  /** Addresses of requests that left the origin. */
  strangers: string[];
  close(): Promise<void>;
}

export const addressOf = (name: string, locale: Locale = "en", hash = ""): string =>
  `${inject("siteUrl")}${locale === "en" ? "" : "zh-CN/"}${name}.html${hash}`;

/** An empty page in a context of its own, which whoever asks for it closes. */
export async function newPage({
  width = 1280,
  before,
  withAdapter = false,
  asFound: _,
  ...options
}: Omit<OpenOptions, "hash" | "locale">): Promise<Page> {
  const browser = await theBrowser(withAdapter);
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    serviceWorkers: "block",
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  if (before) await page.addInitScript(before);
  return page;
}

/** Goes there, waits until the figures are drawn, and hears what the page complains of and asks for. */
async function visit(page: Page, address: string, asFound = false): Promise<Omit<Opened, "close">> {
  const complaints: string[] = [];
  const strangers: string[] = [];
  const origin = new URL(inject("siteUrl")).origin;
  page.on("console", (message) => {
    const isComplaint = ["error", "warning"].includes(message.type()) && !messagesOfOthers.has(message.text());
    if (isComplaint) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => !request.url().startsWith(origin) && strangers.push(request.url()));
  await page.goto(address, { waitUntil: "load" });
  await page.waitForFunction(() => !document.querySelector(".waiting"));
  if (!asFound) {
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await page.waitForFunction(() => !document.querySelector("[data-figure] .content:not(.ready, :has([role=alert]))"));
  }
  return { page, complaints, strangers };
}

/** Opens a page of its own and waits until its figures are drawn. */
export async function open(name: string, { hash, locale, ...options }: OpenOptions = {}): Promise<Opened> {
  const page = await newPage(options);
  const close = () => page.context().close();
  return { ...(await visit(page, addressOf(name, locale, hash), options.asFound)), close };
}

/** Pages that other tests have left, by what they were opened with: to open one costs more than most tests do. */
const left = new Map<string, Page>();

/** Makes a page as if it were new: nothing on it, nothing remembered, nobody listening. */
async function leave(page: Page, key: string, size: ReturnType<Page["viewportSize"]>) {
  page.removeAllListeners();
  await page.evaluate(async () => {
    localStorage.clear();
    await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  });
  await page.mouse.move(0, 0);
  await page.goto("about:blank");
  if (JSON.stringify(page.viewportSize()) !== JSON.stringify(size)) await page.setViewportSize(size!);
  left.set(key, page);
}

/** As each takes memory. */
const mostLeft = 4;

/** After a test file: closes what it has left open, but for a few pages that know the site's files by then. */
export async function closePages(): Promise<void> {
  for (const key of [...left.keys()].slice(0, -mostLeft)) left.delete(key);
  const kept = new Set([...left.values()].map((page) => page.context()));
  const contexts = [...running.values()].flatMap((browser) => browser.contexts());
  await Promise.all(contexts.filter((context) => !kept.has(context)).map((context) => context.close()));
}

/** Opens a page, works with it, and expects that it had nothing to complain of. */
export async function withPage<T>(name: string, options: OpenOptions, work: (page: Page) => Promise<T>): Promise<T> {
  const { hash, locale, ...others } = options;
  const key = `${JSON.stringify(others)} ${String(others.before)}`;
  const used = left.get(key);
  if (used) left.delete(key);
  const page = used ?? (await newPage(others));
  const size = page.viewportSize();
  try {
    const { complaints, strangers } = await visit(page, addressOf(name, locale, hash), options.asFound);
    const result = await work(page);
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
    await leave(page, key, size);
    return result;
  } finally {
    if (left.get(key) !== page) await page.context().close();
  }
}

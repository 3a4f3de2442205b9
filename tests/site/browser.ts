// Pages of the tutorial in Chromium. Whatever the page complains of fails the test that opened it.
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright";
import { afterAll, beforeAll, expect, inject } from "vitest";

export type Locale = "en" | "zh-CN";
export const locales: Locale[] = ["en", "zh-CN"];

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-background-networking"],
  });
});
afterAll(async () => {
  await browser?.close();
});

/** Said by Playwright, not by the page: a service worker would answer for files that the test wants to see asked for. */
const blocked = "Service Worker registration blocked by Playwright";

export interface OpenOptions extends BrowserContextOptions {
  locale?: Locale;
  width?: number;
  /** What follows the address: "#v=2&…". */
  hash?: string;
  /** Runs in the page before its own scripts. */
  before?: () => void;
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

/** Opens a page and waits until its figures are drawn. */
export async function open(name: string, options: OpenOptions = {}): Promise<Opened> {
  const { locale = "en", width = 1280, hash, before, ...contextOptions } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    serviceWorkers: "block",
    reducedMotion: "reduce",
    ...contextOptions,
  });
  const page = await context.newPage();
  if (before) await page.addInitScript(before);
  const complaints: string[] = [];
  const strangers: string[] = [];
  const origin = new URL(inject("siteUrl")).origin;
  page.on("console", (message) => {
    const isComplaint = ["error", "warning"].includes(message.type()) && message.text() !== blocked;
    if (isComplaint) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => !request.url().startsWith(origin) && strangers.push(request.url()));
  await page.goto(addressOf(name, locale, hash), { waitUntil: "load" });
  await page.waitForFunction(() => !document.querySelector(".waiting"));
  return { page, complaints, strangers, close: () => context.close() };
}

/** Opens a page, works with it, and expects that it had nothing to complain of. */
export async function withPage<T>(name: string, options: OpenOptions, work: (page: Page) => Promise<T>): Promise<T> {
  const { page, complaints, strangers, close } = await open(name, options);
  try {
    const result = await work(page);
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
    return result;
  } finally {
    await close();
  }
}

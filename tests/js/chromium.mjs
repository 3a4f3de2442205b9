// How tests start Chromium.

/** What Chromium needs to give pages the software adapter of WebGPU that it brings. */
export const softwareAdapter = [
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
];

/** A script that makes this adapter call itself a GPU, for what is done with one. */
export const asCard = `for (const [name, value] of Object.entries({ architecture: "card", description: "", isFallbackAdapter: false }))
  Object.defineProperty(GPUAdapterInfo.prototype, name, { get: () => value });`;

/** Options of Playwright's `launch`. */
export const chromiumOptions = (...more) => ({
  executablePath: process.env.CHROMIUM_PATH || "/usr/bin/chromium",
  // --no-sandbox because containers run as root; the others keep the browser from calling home.
  args: [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-first-run",
    "--no-pings",
    ...more,
  ],
});

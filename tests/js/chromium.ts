// How tests start Chromium.

export const chromiumOptions = (...more: string[]): { executablePath: string; args: string[] } => ({
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

/** WebGPU on the software adapter that it brings: no GPU is needed. */
export const softwareAdapter = [
  "--enable-unsafe-webgpu",
  "--use-webgpu-adapter=swiftshader",
  "--enable-features=Vulkan",
];

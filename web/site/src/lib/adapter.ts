// The GPU that the browser gives to this page, or to a worker of it.

export interface FoundAdapter {
  adapter: GPUAdapter;
  /** As the browser names it: makers tell less or more. */
  name: string;
  /** A program on the processor that does what a GPU would: its times say nothing of any GPU. */
  isSoftware: boolean;
}

const programs = /swiftshader|llvmpipe|lavapipe|warp|basic render/i;

/** Undefined: no WebGPU, or nothing that it could work with. */
export async function findAdapter(): Promise<FoundAdapter | undefined> {
  const adapter = await navigator.gpu?.requestAdapter().catch(() => null);
  if (!adapter) return undefined;
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  const name = [vendor, architecture, description || device].filter(Boolean).join(" ") || "WebGPU";
  return { adapter, name, isSoftware: isFallbackAdapter || programs.test(name) };
}

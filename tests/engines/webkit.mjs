// WebKitGTK by its WebDriver, on a display that nobody sees.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { until } from "./until.mjs";

const patience = 20_000;

/** A port that nobody listens on. */
function freePort() {
  const server = createServer();
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    }),
  );
}

/** An X server; it chooses its own number and tells it on its third channel. */
async function startDisplay(program) {
  const child = spawn(program, ["-displayfd", "3", "-screen", "0", "1024x768x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  let number = "";
  child.stdio[3].on("data", (text) => (number += text));
  await until("WebKitGTK: the display's start", patience, async () => number.endsWith("\n"));
  return { child, name: `:${number.trim()}` };
}

async function request(base, method, path, body, limit = patience) {
  const response = await fetch(base + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    signal: AbortSignal.timeout(limit),
  });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`WebKitGTK: ${value?.message ?? response.status}`);
  return value;
}

/** { version, open(url) → { evaluate(expression) }, close } */
export async function startWebKit({ webkit, driver, display }) {
  const screen = await startDisplay(display);
  const port = await freePort();
  const env = { ...process.env, DISPLAY: screen.name, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" };
  // A process group of its own: the browser is started by the driver.
  const child = spawn(driver, [`--port=${port}`], { env, stdio: "ignore", detached: true });
  const base = `http://127.0.0.1:${port}`;
  const end = () => {
    process.kill(-child.pid);
    screen.child.kill();
  };
  try {
    await until("WebKitGTK: the driver's start", patience, async () => (await request(base, "GET", "/status")).ready);
    const { sessionId, capabilities } = await request(base, "POST", "/session", {
      capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary: webkit, args: ["--automation"] } } },
    });
    const session = `/session/${sessionId}`;
    return {
      version: capabilities.browserVersion,
      async open(url) {
        await request(base, "POST", `${session}/url`, { url });
        return {
          // A page in the middle of a call answers when that is done.
          evaluate: (expression) =>
            request(base, "POST", `${session}/execute/sync`, { script: `return ${expression};`, args: [] }, 120_000),
        };
      },
      async close() {
        await request(base, "DELETE", session).catch(() => undefined);
        end();
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}

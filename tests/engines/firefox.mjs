// Firefox by Marionette, its own protocol of automation. Not by WebDriver BiDi, which Playwright uses: while its agent watches
// the page, Firefox 153 sometimes never starts a worker's worker.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./until.mjs";

const patience = 60_000;

/** The port that Firefox writes into its profile once it listens. */
const portOf = (profile) =>
  until("Firefox's start", patience, async () => Number(readFileSync(join(profile, "MarionetteActivePort"), "utf8")));

/** Commands of Marionette: messages are JSON, each after its length in bytes and a colon. */
class Marionette {
  #socket;
  #received = Buffer.alloc(0);
  #waiting = new Map();
  #last = 0;

  constructor(port) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("data", (bytes) => this.#receive(bytes));
    this.#socket.on("error", (error) => this.#end(error));
    this.#socket.on("close", () => this.#end(new Error("Firefox has ended")));
  }

  send(command, parameters = {}) {
    const id = ++this.#last;
    const text = JSON.stringify([0, id, command, parameters]);
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  close() {
    this.#socket.destroy();
  }

  #receive(bytes) {
    this.#received = Buffer.concat([this.#received, bytes]);
    for (let colon; (colon = this.#received.indexOf(":")) >= 0;) {
      const end = colon + 1 + Number(this.#received.subarray(0, colon));
      if (this.#received.length < end) return;
      const message = JSON.parse(this.#received.subarray(colon + 1, end));
      this.#received = this.#received.subarray(end);
      // The first message describes the protocol; the others reply to commands.
      if (Array.isArray(message)) this.#settle(message);
    }
  }

  #settle([, id, error, value]) {
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) reject(new Error(`Firefox: ${error.message}`));
    else resolve(value);
  }

  #end(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** { version, open(url) → { evaluate(expression) }, close } */
export async function startFirefox({ firefox }) {
  const profile = mkdtempSync(join(tmpdir(), "posenc-firefox-"));
  writeFileSync(join(profile, "user.js"), 'user_pref("marionette.port", 0);\n');
  const child = spawn(firefox, ["--headless", "--marionette", "--no-remote", "--profile", profile], {
    stdio: "ignore",
    detached: true,
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  let line;
  const close = async () => {
    line?.close();
    process.kill(-child.pid, "SIGKILL");
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    line = new Marionette(await portOf(profile));
    const { capabilities } = await line.send("WebDriver:NewSession");
    return {
      version: capabilities.browserVersion,
      async open(url) {
        await line.send("WebDriver:Navigate", { url });
        const run = (expression) => line.send("WebDriver:ExecuteScript", { script: `return ${expression};`, args: [] });
        return { evaluate: async (expression) => (await run(expression)).value };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

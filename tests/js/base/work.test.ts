// Long work in steps: whoever aborts it from a timer or by a message is heard between two of them.
import { expect, it } from "vitest";
import { Steps } from "../../../web/src/base/work";

it.each<[string, (abort: () => void) => () => void]>([
  [
    "a message",
    (abort) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = abort;
      port2.postMessage("abort");
      return () => port1.close();
    },
  ],
  ["a timer", (abort) => (setTimeout(abort), () => undefined)],
])("%s aborts it", async (_, when) => {
  const controller = new AbortController();
  const end = when(() => controller.abort(new Error("enough")));
  const steps = new Steps(50, { signal: controller.signal, onProgress: undefined });
  const work = async (): Promise<void> => {
    for (let i = 0; i < 50; i++) {
      for (const until = performance.now() + 20; performance.now() < until;);
      await steps.step();
    }
  };
  await expect(work()).rejects.toThrow("enough");
  end();
});

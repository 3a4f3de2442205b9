// A token for models that are not for everybody goes where transformers.js sends it, and nowhere else.
import { usePositions } from "posenc/transformers";
import { afterEach, expect, it, vi } from "vitest";
import { pe } from "../helpers/library";
import { pageWith } from "../helpers/transformers-page";

afterEach(() => vi.unstubAllEnvs());

it.each([
  ["https://huggingface.co/", "HF_TOKEN", "Bearer secret"],
  ["https://hf.co", "HF_ACCESS_TOKEN", "Bearer secret"],
  ["https://huggingface.co.elsewhere.test/", "HF_TOKEN", undefined],
  ["http://huggingface.co/", "HF_TOKEN", undefined],
  ["/mirror/", "HF_TOKEN", undefined],
  ["https://huggingface.co/", "ANOTHER_TOKEN", undefined],
])("%s, %s", async (remoteHost, name, wanted) => {
  for (const own of ["HF_TOKEN", "HF_ACCESS_TOKEN"]) vi.stubEnv(own, undefined);
  vi.stubEnv(name, "secret");
  const sent: unknown[] = [];
  const fetch = async (_: string, { headers }: { headers: Record<string, string> }) => {
    sent.push(headers["Authorization"]);
    return Response.json({ model_type: "llama", max_position_embeddings: 64 });
  };
  const { env } = pageWith({}, { remoteHost, fetch });
  usePositions(env, pe, { "org/model": { length: 256 } });
  const address = `${remoteHost.replace(/\/$/, "")}/org/model/resolve/main/config.json`;
  expect(await (await env.customCache.match(address)).json()).toMatchObject({ max_position_embeddings: 256 });
  expect(sent).toEqual([wanted]);
});

// Names and configs that attack terminals, logs and parsers.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ggufOf, typed } from "../../js/helpers/gguf.ts";
import { external, floats, frequencies, modelOf, rotation, tensor } from "../../js/helpers/onnx-proto.ts";
import { data, given, json, llama, modelWith, posenc, rewrite, rewriting } from "./sandbox.ts";

describe("a config that is nested deeply", () => {
  const nested = (before: string, after: string) => Buffer.from(before.repeat(50_000) + after.repeat(50_000));
  it.each([
    ["arrays", nested("[", "]")],
    [
      "texts in texts",
      Buffer.concat([
        Buffer.from('{"text_config":'.repeat(50_000)),
        Buffer.from("{}"),
        Buffer.from("}".repeat(50_000)),
      ]),
    ],
  ])("%s", (_, config) => {
    const path = given({ "m.onnx": modelWith(), "config.json": config });
    for (const { stderr } of [posenc("inspect", path), rewrite(path, `${path}-out`)])
      expect(stderr).not.toMatch(/RangeError|^posenc: +at /m);
  });
});

describe("names", () => {
  const [letters, newline] = [
    "a\x1b[2J\x08\x7f\u009b2J\u202exnno.\u2066\u2069\u200f\u061c\u2028\u2029\ufeff\u200b\u00ad\u{e0041}b",
    "a\nposenc: all is well",
  ];
  const raw = /[\0-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\udb40/;

  it.each([letters, newline])("%j", (name) => {
    const path = given({});
    // In the name of the file, of a tensor, of external data, of a config's field, of a GGUF file's key and value.
    const model = modelOf({
      nodes: rotation,
      constants: [floats("inv", [4], frequencies), tensor(name, 1, [4], external({ location: `${name}.data` }))],
      inputs: ["position_ids", "x"],
    });
    const file = join(path, `${name}.onnx`);
    writeFileSync(file, model);
    writeFileSync(
      join(path, "config.json"),
      json({ ...llama, model_type: name, rope_scaling: { type: name, factor: 2 } }),
    );
    writeFileSync(
      join(path, `${name}.gguf`),
      ggufOf({ "general.architecture": typed.string(name), [`${name}.rope.x`]: typed.string(name) }),
    );
    const outcomes = [
      posenc("inspect", path, "--progress"),
      posenc("inspect", file, "--json", "--progress"),
      posenc("inspect", join(path, `${name}.gguf`), "--json"),
      posenc("inspect", join(path, `${name}.gguf`)),
      rewrite(file, join(path, `${name}2.onnx`), "--progress"),
      rewrite(file, join(path, `${name}3.onnx`), "--json"),
      rewrite(file, join(path, `${name}2.onnx`)),
      rewrite(file, join(path, name, "x.onnx"), "--progress"),
      posenc(name),
      posenc("inspect", name),
      posenc("inspect", `--${name}`),
      posenc("rewrite", file, "--linear", name, "-o", name),
      posenc("rewrite", file, "--spec", JSON.stringify({ kind: name, [name]: name }), "-o", name),
      posenc("rewrite", file, "--fix", name, "-o", name),
      posenc("rewrite", file, "--config", name, "-o", name),
    ];
    for (const { out, stderr, status } of outcomes) {
      expect(out + stderr).not.toMatch(raw);
      expect(stderr).not.toMatch(/^ +at /m);
      expect(out + stderr).not.toMatch(/^posenc: all is well/m);
      expect([0, 1, 2]).toContain(status);
    }
    // Programs get the names as they are.
    expect(JSON.parse(outcomes[1]!.out).files[0].file).toBe(file);
    expect(outcomes[4]!.status).toBe(0);
    expect(existsSync(join(path, `${name}2.onnx`))).toBe(true);
  });
  it.runIf(spawnSync("script", ["--version"]).status === 0)("on a terminal", () => {
    const path = given({ "m.onnx": modelWith("w"), w: data });
    const name = join(path, "x\x1b]0;pwned\x07\u009b2J.onnx");
    const quoted = [process.execPath, ...rewriting(join(path, "m.onnx"), name, "--progress")]
      .map((word) => `'${word}'`)
      .join(" ");
    const { stdout } = spawnSync("script", ["-qec", quoted, "/dev/null"], { encoding: "utf8" });
    expect(stdout).toContain("x\\u001b]0;pwned\\u0007\\u009b2J.onnx");
    // The program's own: a line in place of another.
    expect(stdout.replaceAll("\r\x1b[K", "")).not.toMatch(/[\x1b\x07\u009b]/);
  });
});

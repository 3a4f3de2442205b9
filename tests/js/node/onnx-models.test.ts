// Folders of exported models beyond those that are committed: POSENC_ONNX_MODELS names one; tests/fixtures/onnx/README.md
// tells the layout. What their configurations and PyTorch say must be what is found in them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { modelFolders } from "../../fixtures/onnx-folders";
import { openModel } from "../helpers/onnx-models";
import type { PositionalComponent } from "../helpers/onnx-models";

const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));

interface Rope {
  module: string;
  inv_freq: number[];
  attention_scaling: number;
}

const models = [...modelFolders].flatMap(([name, root]) => {
  const folder = `${root}/${name}`;
  const files = readdirSync(folder);
  const base = files.includes("source.json") ? `${root}/${json(`${folder}/source.json`).truth}` : folder;
  const truth = existsSync(`${base}/truth.json`) ? json(`${base}/truth.json`) : { cases: [] };
  const dataFiles = files.filter((file) => /onnx[._]data$/.test(file));
  const open = (file: string) =>
    openModel(readFileSync(`${folder}/${file}`), {
      externalData: Object.fromEntries(dataFiles.map((one) => [one, readFileSync(`${folder}/${one}`)])),
    });
  const config = json(`${folder}/config.json`);
  return files
    .filter((file) => file.endsWith(".onnx"))
    .map((file) => ({ name: `${name}/${file}`, open: () => open(file), config, cases: truth.cases as Case[] }));
});
interface Case {
  name: string;
  rope?: Rope[];
}

const relative = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length === b.length ? Math.max(...Array.from(a, (x, k) => Math.abs(x / b[k]! - 1))) : Infinity;

/** How far stored frequencies are from what PyTorch has: rounding, and of tables the rounding of their angles. */
const rounding: Record<string, number> = { float32: 5e-6, float16: 1e-3 };

describe.each(models.map((model) => [model.name, model] as const))("%s", (_, { open, config, cases }) => {
  it("has positions", async () => {
    const { positions } = await open();
    expect(positions.length).toBeGreaterThan(0);
    const families = new Set(positions.map(({ family }) => family));
    expect(families.size, "of one family").toBe(1);
    for (const { layers } of positions) expect(layers.length).toBeGreaterThan(0);
  });

  const [first] = cases;
  const ropes = first?.rope;
  if (!ropes?.length) return;

  it("turns as PyTorch does, in one of its modules or the other", async () => {
    const { positions } = await open();
    const heads = config.num_attention_heads ?? config.n_head;
    const dim = config.rotary_dim ?? config.head_dim ?? (config.hidden_size ?? config.n_embd) / heads;
    const partial = config.partial_rotary_factor ?? config.rotary_pct ?? 1;
    const isLlama3 = config.rope_scaling?.rope_type === "llama3";
    const nearest = (component: PositionalComponent) => {
      const known = cases.flatMap(({ rope = [] }) => rope);
      return Math.min(...known.map(({ inv_freq }) => relative(component.frequencies!, inv_freq)));
    };
    for (const component of positions) {
      expect(component).toMatchObject({ family: "rotary", dim: Math.round(dim * partial) });
      if (component.form === "cache" && isLlama3) {
        // onnxruntime-genai up to 0.9.2 takes the original length from another field: the file is wrong, and read as it is.
        expect(component.spec).toMatchObject({ kind: "rope-llama3", originalLength: config.max_position_embeddings });
        continue;
      }
      expect(nearest(component), JSON.stringify(component.spec)).toBeLessThan(rounding[component.type]!);
    }
    const bases = positions.map(({ spec }) => (spec as { base?: number } | undefined)?.base);
    const baseFields = [
      config.rope_theta,
      config.rope_local_base_freq,
      config.local_rope_theta,
      config.global_rope_theta,
    ];
    for (const base of bases.filter((one) => one !== undefined)) expect([...baseFields, 10000]).toContain(base);
  });

  it("in the layers that have positions, each once", async () => {
    const { positions } = await open();
    const count = config.num_hidden_layers ?? config.n_layer;
    const none: number[] = config.no_rope_layers ?? [];
    const rotating = Array.from({ length: count }, (_, i) => i).filter((layer) => none[layer] !== 0);
    const layers = [...new Set(positions.flatMap((component) => component.layers))].sort((a, b) => a - b);
    expect(layers).toEqual(rotating);
  });
});

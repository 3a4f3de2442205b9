// RoPE whose distances are remapped, against plain RoPE: what it costs to read more than a model was trained on.
import { prepareAttention } from "./attention.mjs";

/** Rules of these sizes: { option, distance(i, j) }, keys j not after the query i. */
const rules = ({ group, window, chunk, local }) => {
  const length = chunk - local;
  const queryPosition = (i, older) => (older === 1 ? (i % length) + length : 2 * length - 1);
  return {
    "self-extend": {
      option: { kind: "self-extend", group, window },
      distance: (i, j) =>
        i - j < window ? i - j : Math.floor(i / group) + window - window / group - Math.floor(j / group),
    },
    rerope: {
      option: { kind: "rerope", window },
      distance: (i, j) => Math.min(i - j, window),
    },
    "dual-chunk": {
      option: { kind: "dual-chunk", chunk, local },
      distance(i, j) {
        const older = Math.floor(i / length) - Math.floor(j / length);
        return older === 0 ? i - j : Math.min(queryPosition(i, older), chunk) - (j % length);
      },
    },
  };
};

const names = Object.keys(rules({}));
const settings = { group: 8, window: 256, chunk: 384, local: 96 };
const tinySettings = { group: 2, window: 4, chunk: 8, local: 2 };
const targets = names.map((name) => ({ of: `inside ${name}`, against: "inside rope", atMost: 1.5 }));

const remapCase = (id, group, title, size, tiny) => ({
  id,
  group,
  work: "remap",
  title,
  size: { ...size, ...settings },
  tiny: { ...tiny, ...tinySettings },
  tolerance: 1e-5,
  targets,
});

export const remapCases = [
  remapCase(
    "attention-remap",
    "attention",
    ({ heads, length, dim }) => `attention, ${heads} × ${length} × ${dim}, causal, distances remapped`,
    { heads: 8, length: 1024, dim: 64 },
    { heads: 2, length: 32, dim: 16 },
  ),
  remapCase(
    "decode-remap",
    "decode",
    ({ heads, length, dim }) => `one query over ${length} keys, ${heads} × ${dim}, distances remapped`,
    { heads: 12, length: 2048, dim: 64, queries: 1 },
    { heads: 2, length: 32, dim: 16, queries: 1 },
  ),
];

export function prepareRemap(one) {
  const prepared = (role, label, remap) => ({
    ...prepareAttention({ ...one, kind: "rope", isCausal: true, remap }),
    role,
    label,
  });
  const remapped = Object.entries(rules(one.size)).map(([name, rule]) => prepared(`inside ${name}`, name, rule));
  return { inside: [prepared("inside rope", "RoPE"), ...remapped] };
}

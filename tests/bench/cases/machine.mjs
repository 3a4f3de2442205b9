// What the machine can do: the limits that all the rest is seen beside. Nothing of posenc is in them but its memory.

const stream = (name, floats) => ({
  id: `machine-${name}`,
  group: "machine",
  work: "machine",
  title: () => `the machine: streams through ${name}`,
  size: { floats },
  tiny: { floats: 1024 },
  rate: { unit: "GB/s", amount: (size, role) => (["store", "read"].includes(role) ? 4 : 8) * size.floats },
  targets: [],
});

export const machineCases = [
  stream("64-KB", 1 << 14),
  stream("1-MB", 1 << 18),
  stream("8-MB", 1 << 21),
  stream("34-MB", 1 << 23),
  stream("134-MB", 1 << 25),
  {
    id: "machine-peak",
    group: "machine",
    work: "machine",
    title: () => "the machine: multiply-adds in registers",
    size: { steps: 100_000 },
    tiny: { steps: 100 },
    rate: { unit: "GFLOP/s", amount: ({ steps }) => 96 * steps },
    targets: [],
  },
];

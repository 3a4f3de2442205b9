// Sandwich: the part of sinusoidal attention that goes by the distance, as a bias with its own strength for each head.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const sandwich = pe.create({ kind: "sandwich", heads: 4, dim: 64 });
const { data } = pe.distanceProfile(sandwich, { maxDistance: 100 });
for (const distance of [0, 1, 5, 10, 50, 100]) {
  const biases = [0, 1, 2, 3].map((head) => data[head * 101 + distance].toFixed(2));
  console.log(`distance ${distance}:`, biases.join(" "));
}

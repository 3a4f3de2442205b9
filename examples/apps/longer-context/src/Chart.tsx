import type { RuleName } from "./rules";
import type { Measured } from "./worker";

const bins = 32;
const highest = 8;
const ticks = [0, 2, 4, 6, 8];

/** Returns the mean of each of `bins` equal parts. */
function smooth(losses: Float32Array): number[] {
  const bounds = Array.from({ length: bins + 1 }, (_, i) => Math.round((i * losses.length) / bins));
  return bounds.slice(1).map((end, i) => meanOf(losses.subarray(bounds[i]!, end)));
}

export function meanOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function Chart({ results }: { results: [RuleName, Measured][] }) {
  const [, { losses, trained }] = results[0]!;
  const x = (token: number): number => (100 * token) / losses.length;
  const y = (loss: number): number => 100 - (100 * Math.min(loss, highest)) / highest;
  const points = (measured: Measured): string =>
    smooth(measured.losses)
      .map((loss, i) => `${(100 * (i + 0.5)) / bins},${y(loss).toFixed(2)}`)
      .join(" ");
  const alt = results.map(([name, one]) => `${name} ends at ${smooth(one.losses).at(-1)!.toFixed(2)}`).join(", ");
  return (
    <figure>
      <figcaption>Loss in nats per token, by position. Lower is better.</figcaption>
      <div className="plot">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={`Loss by position: ${alt}`}>
          {ticks.map((loss) => (
            <line key={loss} className="grid" x1="0" x2="100" y1={y(loss)} y2={y(loss)} />
          ))}
          {trained < losses.length && <line className="trained" x1={x(trained)} x2={x(trained)} y1="0" y2="100" />}
          {results.map(([name, measured]) => (
            <polyline key={name} className={`rule-${name}`} points={points(measured)} />
          ))}
        </svg>
        {ticks.map((loss) => (
          <span key={loss} className="y" style={{ top: `${y(loss)}%` }}>
            {loss}
          </span>
        ))}
        {trained < losses.length && (
          <span className="x" style={{ left: `${x(trained)}%` }}>
            trained: {trained}
          </span>
        )}
        <span className="x end">{losses.length}</span>
      </div>
    </figure>
  );
}

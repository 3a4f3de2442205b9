import type { Component } from "./worker";

/** Draws the positional part of the scores of a component. */
export function Profile({ component, longest }: { component: Component; longest: number }) {
  const { title, layers, lines } = component;
  const shown = lines.map((line) => line.subarray(0, longest + 1));
  const values = shown.flatMap((line) => [...line]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const y = (value: number): number => 100 - (100 * (value - low)) / (high - low || 1);
  return (
    <figure>
      <figcaption>
        <code>{title}</code> {layers.length > 0 && `in layers ${layers.join(", ")}`}
      </figcaption>
      {shown.length === 0 ? (
        <p className="note">Its values are learned, or follow no known rule. The attention below includes them.</p>
      ) : (
        <div className="plot">
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="Positional part by distance">
            <line x1="0" x2="100" y1={y(0)} y2={y(0)} />
            {shown.map((line, i) => (
              <polyline
                key={i}
                points={Array.from(line, (v, d) => `${(100 * d) / longest},${y(v).toFixed(2)}`).join(" ")}
              />
            ))}
          </svg>
          <span className="high">{high.toFixed(2)}</span>
          <span className="low">{low.toFixed(2)}</span>
          <span className="end">distance {longest}</span>
        </div>
      )}
    </figure>
  );
}

import type { ReactNode } from "react";

type Bar = { key: string; amount: number; label: ReactNode; value: ReactNode; language?: string };

const WIDTH = 1000;

/** A bar chart with labels: each row shows its bar and the same in words. The longest bar is the largest amount. */
export function RepoBars({ rows }: { rows: readonly Bar[] }) {
  const most = Math.max(1, ...rows.map(({ amount }) => amount));
  return (
    <ul className="stack above-3">
      {rows.map(({ key, amount, label, value, language }) => (
        <li key={key} className="two-ends top grid gap-4 rows-1 small">
          <span>{label}</span>
          <span className="numbers soft">{value}</span>
          <svg
            className="mirrors whole-row full sunk pill"
            viewBox={`0 0 ${WIDTH} 8`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect data-language={language} width={((amount / most) * WIDTH).toFixed(1)} height="8" />
          </svg>
        </li>
      ))}
    </ul>
  );
}

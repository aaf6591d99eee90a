import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

type FactsProps = { facts: readonly Fact[]; inline?: boolean; className?: string };

/** A list of names and values, below each other or, inline, side by side. */
export function Facts({ facts, inline = false, className = "" }: FactsProps) {
  return (
    <dl className={`cluster small gap-6 ${inline ? "soft rows-1" : "flush rows-2"} ${className}`}>
      {facts.map(([name, value]) => (
        <div key={name} className={inline ? "flex gap-2" : undefined}>
          <dt className={inline ? undefined : "soft tiny"}>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

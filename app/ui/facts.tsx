import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

/** A list of names and values, below each other or, inline, side by side. */
export function Facts({ facts, inline = false }: { facts: readonly Fact[]; inline?: boolean }) {
  return (
    <dl className={inline ? "cluster facts-inline" : "cluster facts"}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

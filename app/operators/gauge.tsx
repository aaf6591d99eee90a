import type { ReactNode } from "react";
import { amount } from "#app/i18n/amount.ts";

export type Mood = "good" | "caution" | "wrong" | "plain";

export function Gauge({
  name,
  mood = "plain",
  href,
  children,
}: {
  name: string;
  mood?: Mood;
  href?: string;
  children: ReactNode;
}) {
  return (
    <div className={`card gauge gap-1 pad-3 gauge-${mood}`}>
      <dt className="small soft line-up reach">
        {href ? (
          <a className="soft inline reach" href={href}>
            {name}
          </a>
        ) : (
          name
        )}
      </dt>
      <dd className="large bold numbers">{typeof children === "number" ? amount(children) : children}</dd>
    </div>
  );
}

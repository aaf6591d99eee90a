import type { ReactNode } from "react";
import { Icon } from "#app/ui/icon.tsx";

/** The way back to what a page belongs to, above its heading. */
export function Trail({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="trail" href={href}>
      <Icon name="back" />
      {children}
    </a>
  );
}

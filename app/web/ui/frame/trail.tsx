import type { ReactNode } from "react";
import { Icon } from "#app/web/ui/icon.tsx";

/** A link above the heading to what a page belongs to. */
export function ParentLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className="inline gap-1 target small at-start" href={href}>
      <Icon name="back" />
      {children}
    </a>
  );
}

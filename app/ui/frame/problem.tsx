import type { ReactNode } from "react";

/** Replaces the content of a page. */
export function Problem({ children }: { children: ReactNode }) {
  return <section className="pad-block-8 grid items-start gap-4 reading-wide">{children}</section>;
}

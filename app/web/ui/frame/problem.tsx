import type { ReactNode } from "react";

export function Problem({ children }: { children: ReactNode }) {
  return <section className="pad-block-8 grid items-start gap-4 reading-wide">{children}</section>;
}

import type { ReactNode } from "react";

type SectionProps = { id: string; title: ReactNode; aside?: ReactNode; children: ReactNode };

/** A part of a page with a heading, and `aside` at the end of the heading's line. */
export function Section({ id, title, aside, children }: SectionProps) {
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

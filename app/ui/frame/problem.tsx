import type { ReactNode } from "react";
import styles from "#app/styles/frame/error-page.css?url";

/** What a page shows in place of its content. Its styles come with it, because few pages need them. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <section className="problem grid items-start gap-4 reading-wide">
      <link rel="stylesheet" href={styles} />
      {children}
    </section>
  );
}

import type { ReactNode } from "react";
import styles from "#app/styles/frame/error-page.css?url";

/** Replaces the content of a page. It brings its own styles, because few pages need them. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <section className="problem grid items-start gap-4 reading-wide">
      <link rel="stylesheet" href={styles} />
      {children}
    </section>
  );
}

import type { ReactNode } from "react";

type TableProps = {
  name: string;
  headings: readonly string[];
  /** On a phone each row is a block, and each cell has its heading from `data-label` beside it. */
  stacked?: boolean;
  children: ReactNode;
};

/** A table that scrolls inside its box on a narrow screen, unless its rows are stacked. */
export function Table({ name, headings, stacked = false, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll-box" aria-label={name} tabIndex={0}>
      <table className={stacked ? "table table-stacked" : "table"}>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

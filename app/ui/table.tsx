import type { ReactNode } from "react";

type TableProps = { name: string; headings: readonly string[]; children: ReactNode };

/** A table that scrolls inside its box where the screen is narrow. */
export function Table({ name, headings, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll-box" aria-label={name} tabIndex={0}>
      <table className="table">
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

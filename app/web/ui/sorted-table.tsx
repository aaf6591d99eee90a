import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import type { Sort } from "#domain/sort.ts";

type Column<Id extends string> = { id: Id; name: string; fixed?: true };
type SortedTableProps<Id extends string> = {
  name: string;
  columns: readonly Column<Id>[];
  sort: Sort<Id>;
  address(sort: Sort<Id>): string;
  children: ReactNode;
};

/** A table whose headings are links that sort it; the current one reverses the order. */
export function SortedTable<Id extends string>(props: SortedTableProps<Id>) {
  const { name, columns, sort, address, children } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll-box" aria-label={name} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} address={address} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

type HeadingProps<Id extends string> = Pick<SortedTableProps<Id>, "sort" | "address"> & {
  column: Column<Id>;
};

function Heading<Id extends string>({ column, sort, address }: HeadingProps<Id>) {
  const text = useText().operators;
  if (column.fixed) return <th scope="col">{column.name}</th>;
  const isCurrent = sort.by === column.id;
  const next: Sort<Id> = { by: column.id, descending: isCurrent ? !sort.descending : true };
  const direction = sort.descending ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={isCurrent ? direction : undefined}>
      <a className="inline gap-1 reach" href={address(next)} title={text.sortBy(column.name)}>
        {column.name}
        {isCurrent && (
          <span className="inline-flex" aria-hidden="true">
            <Icon name="sort" />
          </span>
        )}
      </a>
    </th>
  );
}

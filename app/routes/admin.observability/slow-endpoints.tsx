import { Fragment } from "react";
import { amount } from "#app/i18n/amount.ts";
import { useText } from "#app/i18n/text.ts";
import { SortedTable } from "#app/web/ui/sorted-table.tsx";
import { sortRows, toSortText } from "#domain/sort.ts";
import type { ObservabilityPage } from "./observability-view.server.ts";
import { buildAddress } from "./page-address.ts";

export function SlowEndpoints({ query, slow }: Pick<ObservabilityPage, "query" | "slow">) {
  const text = useText().observability;
  const columns = [
    { id: "endpoint", name: text.endpoint },
    { id: "p95_ms", name: text.p95 },
    { id: "avg_ms", name: text.average },
    { id: "count", name: text.requests },
  ] as const;
  return (
    <section className="section" id="slow">
      <div className="section-head">
        <h2>{text.slow}</h2>
      </div>
      {slow.length === 0 ? (
        <p className="soft">{text.quiet}</p>
      ) : (
        <SortedTable
          name={text.slow}
          columns={columns}
          sort={query.sort}
          address={(sort) => buildAddress(query, { sort: toSortText(sort) }, "#slow")}
        >
          {sortRows(slow, query.sort).map((row) => (
            <tr key={`${row.method} ${row.endpoint}`}>
              <th scope="row">
                <Endpoint method={row.method} path={row.endpoint} />
              </th>
              <td>{text.ms(row.p95_ms)}</td>
              <td>{text.ms(row.avg_ms)}</td>
              <td>{amount(row.count)}</td>
            </tr>
          ))}
        </SortedTable>
      )}
    </section>
  );
}

/** Breaks an address only between its parts. Requests that no route answered, such as files of the build, have none. */
function Endpoint({ method, path }: { method: string; path: string }) {
  const text = useText().observability;
  if (!path.startsWith("/"))
    return (
      <>
        <code dir="ltr">{method}</code> {text.noRoute}
      </>
    );
  const parts = path.split("/").slice(1);
  return (
    <code dir="ltr">
      {method}{" "}
      {parts.map((part, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a path may have one part twice
        <Fragment key={i}>
          /{part}
          <wbr />
        </Fragment>
      ))}
    </code>
  );
}

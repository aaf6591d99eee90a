import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import type { SearchAnswer } from "#db/search/search.server.ts";
import { toSearchAddress } from "#domain/search/search-place.ts";
import { listTypedFilters, SEARCH_KINDS, type SearchKind } from "#domain/search/search-query.ts";

type KindQuery = { q: string; kind: SearchKind | null };

export function KindTabs({
  q,
  kind,
  found,
}: KindQuery & { found: Pick<SearchAnswer, "counts" | "precisions"> }) {
  const text = useText().search;
  // The tab names the shown kind, so a typed filter by kind is removed.
  const query = removeKindFilters(q);
  const count = (name: SearchKind) => text.count[found.precisions[name]](found.counts[name]);
  return (
    <nav className="tabs flex gap-1 edge-below" aria-label={text.kinds}>
      <a
        className="gap-1 rigid"
        href={toSearchAddress({ q: query })}
        aria-current={kind === null ? "page" : undefined}
      >
        {text.all}
      </a>
      {SEARCH_KINDS.map((name) => (
        <a
          className="gap-1 rigid"
          key={name}
          href={toSearchAddress({ q: query, in: name })}
          aria-current={kind === name ? "page" : undefined}
        >
          {text.tabs[name]} <span className="tiny numbers soft">{`(${count(name)})`}</span>
        </a>
      ))}
    </nav>
  );
}

function removeKindFilters(q: string): string {
  const kindFilter = listTypedFilters(q).find(({ name }) => name === "in");
  return kindFilter ? removeKindFilters(kindFilter.rest) : q;
}

export function SearchChips({ q, kind }: KindQuery) {
  const { files, search: text } = useText();
  const filters = listTypedFilters(q);
  if (filters.length === 0) return null;
  return (
    <div className="cluster screen-only">
      {filters.map(({ typed, name, isExcluded, rest }, i) => {
        const label = isExcluded ? text.without(typed.slice(1)) : typed;
        return (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: the same filter may be typed twice
            key={i}
            className="chip"
            href={toSearchAddress({ q: rest, in: name === "in" ? null : kind })}
            aria-label={files.removeFilter(label)}
          >
            <bdi>{label}</bdi>
            <Icon name="remove" />
          </a>
        );
      })}
    </div>
  );
}

const EXAMPLES = [
  ["lang", "lang:py"],
  ["tag", "tag:http"],
  ["in", "in:notes"],
  ["path", "path:src/"],
  ["without", "-test"],
  ["quotes", '"two words"'],
] as const;

export function SearchHelp() {
  const text = useText().search;
  return (
    <section className="small soft" aria-labelledby="search-help-title">
      <h2 id="search-help-title">{text.help}</h2>
      <ul className="flex wraps gap-6 rows-1">
        {EXAMPLES.map(([name, example]) => (
          <li key={name}>
            <code dir="ltr">{example}</code> {text.helps[name]}
          </li>
        ))}
      </ul>
    </section>
  );
}

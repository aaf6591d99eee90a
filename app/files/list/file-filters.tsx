import { amount } from "#app/i18n/amount.ts";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import type { FileSort } from "#domain/files/file.ts";
import { isCategory, ROOT_FOLDER } from "#domain/files/file-query.ts";
import { languageLabel } from "#domain/files/language.ts";
import { findSpelling, toTagKey } from "#domain/files/tags.ts";

export type ListFilters = {
  q?: string;
  lang?: string;
  category?: string;
  repo?: string;
  /** The folder that is listed. It is no filter and stays. */
  folder?: string;
  sort: FileSort;
  /** The order if the address names none. */
  usualSort: FileSort;
};
type Changes = Partial<Record<"q" | "lang" | "category" | "repo" | "sort" | "cursor" | "before", string>>;

export function toListAddress(filters: ListFilters, changes: Changes): string {
  const { folder, q, lang, category, repo, sort } = filters;
  const parameters = Object.entries({ folder, q, lang, category, repo, sort, ...changes }).filter(
    (pair): pair is [string, string] =>
      pair[1] !== undefined && !(pair[0] === "sort" && pair[1] === filters.usualSort),
  );
  const query = new URLSearchParams(parameters);
  return query.size > 0 ? `/files?${query}` : "/files";
}

type FilterName = "q" | "lang" | "category" | "repo" | "folder";

export function FilterChips({ filters }: { filters: ListFilters }) {
  const { files, finding, folders } = useText();
  const { q, lang, category, repo, folder } = filters;
  const chips: [FilterName, string | undefined][] = [
    ["q", q && finding.looking(q)],
    ["lang", lang && languageLabel(lang)],
    ["category", category && (isCategory(category) ? finding.categories[category] : `#${category}`)],
    ["repo", repo],
    ["folder", folder === ROOT_FOLDER ? folders.noFolder : undefined],
  ];
  const shown = chips.filter((chip): chip is [FilterName, string] => Boolean(chip[1]));
  // A category alone is the page's title already.
  if (shown.length === 0 || (shown.length === 1 && category && isCategory(category))) return null;
  return (
    <div className="cluster screen-only below-3">
      {shown.map(([name, label]) => (
        <a
          key={name}
          className="chip"
          href={toListAddress(filters, { [name]: undefined })}
          aria-label={files.removeFilter(label)}
        >
          <bdi>{label}</bdi>
          <Icon name="remove" />
        </a>
      ))}
      {shown.length > 1 && (
        <a
          className="screen-only inline gap-1 reach small"
          href={toListAddress(filters, {
            q: undefined,
            lang: undefined,
            category: undefined,
            repo: undefined,
          })}
        >
          {finding.clear}
        </a>
      )}
    </div>
  );
}

type Facet = { value: string; count: number | null };
export const findChosenTag = ({ category = "" }: ListFilters, tags: readonly Facet[]) =>
  findSpelling(
    tags.map(({ value }) => value),
    toTagKey(category),
  );

type FacetsProps = { filters: ListFilters; languages: readonly Facet[]; tags: readonly Facet[] };

/** The languages and tags in the list as links that narrow it, with their number of files. */
export function FacetLinks({ filters, languages, tags }: FacetsProps) {
  const text = useText().finding;
  if (languages.length + tags.length < 2) return null;
  return (
    <details className="disclosure facets screen-only">
      <summary>{text.narrow}</summary>
      <FacetList
        label={text.languages}
        facets={languages}
        name={languageLabel}
        chosen={filters.lang?.toLowerCase()}
        address={(lang) => toListAddress(filters, { lang })}
      />
      <FacetList
        label={text.tags}
        facets={tags}
        name={(tag) => `#${tag}`}
        chosen={findChosenTag(filters, tags)}
        address={(category) => toListAddress(filters, { category })}
      />
    </details>
  );
}

type FacetListProps = {
  label: string;
  facets: readonly Facet[];
  name: (value: string) => string;
  chosen: string | undefined;
  address: (value: string) => string;
};

function FacetList({ label, facets, name, chosen, address }: FacetListProps) {
  if (facets.length === 0) return null;
  return (
    <nav className="facet-list above-2" aria-label={label}>
      <h2>{label}</h2>
      <ul className="flex wraps gap-2 rows-1">
        {facets.map(({ value, count }) => (
          <li key={value}>
            <a
              className="inline gap-2 target-small raised edge pill ink plain"
              href={address(value)}
              aria-current={value === chosen ? "true" : undefined}
            >
              <bdi>{name(value)}</bdi>{" "}
              {count !== null && <span className="tiny numbers soft">{amount(count)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

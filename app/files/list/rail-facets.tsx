import { useRouteLoaderData } from "@remix-run/react";
import { findChosenTag, type ListFilters, toListAddress } from "#app/files/list/file-filters.tsx";
import { amount } from "#app/i18n/amount.ts";
import { useText } from "#app/i18n/text.ts";
import { languageLabel } from "#domain/files/language.ts";

type Facet = { value: string; count: number | null };
type FilesPage = {
  filters: ListFilters;
  facets: { languages: readonly Facet[]; tags: readonly Facet[]; repos: readonly Facet[] };
};

const SHOWN_MAX = 12;

/** The filters of the list of files with their counts. On a small screen the page itself shows them. */
export function RailFacets() {
  const page = useRouteLoaderData<FilesPage>("routes/files");
  const { languages, tags, repos } = useText().finding;
  if (!page) return null;
  const { filters, facets } = page;
  return (
    <>
      <FacetColumn
        label={languages}
        facets={facets.languages}
        name={languageLabel}
        chosen={filters.lang?.toLowerCase()}
        address={(lang) => toListAddress(filters, { lang })}
      />
      <FacetColumn
        label={tags}
        facets={facets.tags}
        name={(tag) => `#${tag}`}
        chosen={findChosenTag(filters, facets.tags)}
        address={(category) => toListAddress(filters, { category })}
      />
      <FacetColumn
        label={repos}
        facets={facets.repos}
        name={(repo) => repo}
        chosen={filters.repo}
        address={(repo) => toListAddress(filters, { repo })}
      />
    </>
  );
}

type FacetColumnProps = {
  label: string;
  facets: readonly Facet[];
  name: (value: string) => string;
  chosen: string | undefined;
  address: (value: string | undefined) => string;
};

function FacetColumn({ label, facets, name, chosen, address }: FacetColumnProps) {
  if (facets.length === 0) return null;
  return (
    <section className="rail-facets" aria-label={label}>
      <h2>{label}</h2>
      <ul>
        {facets.slice(0, SHOWN_MAX).map(({ value, count }) => (
          <li key={value}>
            <a
              className="rail-link"
              href={address(value === chosen ? undefined : value)}
              aria-current={value === chosen ? "true" : undefined}
            >
              <bdi>{name(value)}</bdi>{" "}
              {count !== null && <span className="tiny numbers soft">{amount(count)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

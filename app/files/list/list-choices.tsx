import { type ListFilters, toListAddress } from "#app/files/list/file-filters.tsx";
import { useText } from "#app/i18n/text.ts";
import { Icon, type IconName } from "#app/web/ui/icon.tsx";
import { FILE_SORTS, FILE_VIEWS, type FileView } from "#domain/files/file.ts";

const VIEW_ICONS: Record<FileView, IconName> = { rows: "menu", cards: "board" };

export function ListOptionsForm({ filters, view }: { filters: ListFilters; view: FileView }) {
  const text = useText().files;
  return (
    <form className="flex gap-2" method="post" action="/preferences">
      <input type="hidden" name="next" value={toListAddress({ ...filters, sort: filters.usualSort }, {})} />
      {filters.category !== "recent" && (
        <details className="menu list-sort">
          <summary className="button">
            <Icon name="sort" />
            <span className="visually-hidden">{text.sort}: </span>
            {text.sorts[filters.sort]}
          </summary>
          <div className="surface menu-sheet">
            {FILE_SORTS.map((sort) => (
              <button
                key={sort}
                className="rail-link"
                type="submit"
                name="file_sort"
                value={sort}
                aria-current={filters.sort === sort ? "true" : undefined}
              >
                {text.sorts[sort]}
              </button>
            ))}
          </div>
        </details>
      )}
      <div className="actions surface button-strip">
        {FILE_VIEWS.map((name) => (
          <button
            key={name}
            className="button"
            type="submit"
            name="file_view"
            value={name}
            aria-pressed={name === view}
            aria-label={text.views[name]}
            title={text.views[name]}
          >
            <Icon name={VIEW_ICONS[name]} />
          </button>
        ))}
      </div>
    </form>
  );
}

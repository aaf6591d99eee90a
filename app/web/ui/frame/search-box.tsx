import { useText } from "#app/i18n/text.ts";
import { SearchInput } from "#app/web/ui/frame/search-input.tsx";
import { Icon } from "#app/web/ui/icon.tsx";

export function SearchBox({ query, withButton = false }: { query: string; withButton?: boolean }) {
  const { finding, search: text } = useText();
  return (
    <search className="search-box shrinks">
      <form className={withButton ? "flex gap-2" : undefined} method="get" action="/search">
        <Icon name="search" />
        <SearchInput label={finding.search} query={query} data-search-key="" />
        {withButton && (
          <button className="button button-primary" type="submit">
            {text.button}
          </button>
        )}
      </form>
    </search>
  );
}

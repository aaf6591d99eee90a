import { useLocation } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/ui/icon.tsx";
import { SearchInput } from "#app/ui/search-input.tsx";

/** Looks through the whole library, from any page. */
export function SearchBox() {
  const text = useText().finding;
  const { pathname, search } = useLocation();
  const asked = pathname === "/files" ? (new URLSearchParams(search).get("q") ?? "") : "";
  return (
    <search className="search-box">
      <form method="get" action="/files">
        <Icon name="search" />
        <SearchInput label={text.search} asked={asked} data-search-key="" />
      </form>
    </search>
  );
}

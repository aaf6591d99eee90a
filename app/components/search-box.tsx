import { useLocation } from "@remix-run/react";
import { Icon } from "#app/components/icon.tsx";
import { SearchInput } from "#app/components/search-input.tsx";
import { useText } from "#app/i18n/text.ts";

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

import { useLocation } from "@remix-run/react";
import { Icon } from "#app/components/icon.tsx";
import { useText } from "#app/i18n/text.ts";
import { NEEDLE_MAX } from "#domain/grams.ts";

/** Looks through the whole library, from any page. */
export function SearchBox() {
  const text = useText().finding;
  const { pathname, search } = useLocation();
  const asked = pathname === "/files" ? (new URLSearchParams(search).get("q") ?? "") : "";
  return (
    <search className="search-box">
      <form method="get" action="/files">
        <Icon name="search" />
        <input
          className="input"
          type="search"
          name="q"
          defaultValue={asked}
          maxLength={NEEDLE_MAX}
          aria-label={text.search}
          placeholder={text.search}
          dir="auto"
          autoComplete="off"
          data-search-key=""
        />
      </form>
    </search>
  );
}

import { useText } from "#app/i18n/text.ts";
import { isCategory } from "#domain/files/file-query.ts";
import { addSearchFilter, toSearchAddress } from "#domain/search/search-place.ts";

type TagsProps = {
  tags: readonly string[];
  address?: (tag: string) => string;
};

/** Links to a search for a tag that has the name of a category, because the list would show the category. */
const toTagAddress = (tag: string) =>
  isCategory(tag)
    ? toSearchAddress({ q: addSearchFilter("", "tag", tag) })
    : `/files?${new URLSearchParams({ category: tag })}`;

export function Tags({ tags, address = toTagAddress }: TagsProps) {
  const text = useText().file;
  if (tags.length === 0) return null;
  return (
    <ul className="tags" aria-label={text.tags}>
      {tags.map((tag) => (
        <li key={tag}>
          <a className="tag" href={address(tag)} dir="auto">
            {tag}
          </a>
        </li>
      ))}
    </ul>
  );
}

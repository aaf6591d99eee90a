import { useText } from "#app/i18n/text.ts";
import { searchPlace, withFilter } from "#app/search/search-place.ts";
import { isCategory } from "#domain/files/file-query.ts";

type TagsProps = {
  tags: readonly string[];
  /** Where the files with a tag are; the list of files, where nothing is said. */
  address?: (tag: string) => string;
};

/** A tag that is called like a category of the list is searched for. */
const listTagged = (tag: string) =>
  isCategory(tag)
    ? searchPlace({ q: withFilter("", "tag", tag) })
    : `/files?${new URLSearchParams({ category: tag })}`;

/** Each tag leads to what has it. */
export function Tags({ tags, address = listTagged }: TagsProps) {
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

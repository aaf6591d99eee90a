import { useText } from "#app/i18n/text.ts";

export function Tags({ tags }: { tags: readonly string[] }) {
  const text = useText().file;
  if (tags.length === 0) return null;
  return (
    <ul className="tags" aria-label={text.tags}>
      {tags.map((tag) => (
        <li key={tag} className="tag" dir="auto">
          {tag}
        </li>
      ))}
    </ul>
  );
}

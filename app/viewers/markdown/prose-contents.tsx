import { useText } from "#app/i18n/text.ts";
import type { Heading } from "#app/viewers/render-task.ts";

/** The indent of a heading, by its level. */
const INDENTS = ["", "", "indent-4", "contents-3", "contents-4", "contents-4", "contents-4"];

export function Contents({ headings }: { headings: Heading[] }) {
  const text = useText().viewers;
  return (
    <nav className="contents form-wide below-6 sunk pad-4 pad-block-2" aria-label={text.contents}>
      <details open>
        <summary>{text.contents}</summary>
        <ol>
          {headings.map(({ id, text: words, level }) => (
            <li key={id} className={INDENTS[level]}>
              <a href={`#${encodeURIComponent(id)}`} dir="auto">
                {words || id}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import type { Outline } from "#app/viewers/code/outline.ts";
import { atVersion, type OldVersionNumber, toLineAddress } from "#app/viewers/views.ts";

/** The field for a line number; the page redirects it to that line's address. */
export const LINE_FIELD = "line";

/** A shorter text is visible at once and needs no field for lines. */
const LINES_MIN = 30;

type OutlinedFile = { id: string; lines: number };
type OutlinedProps = {
  file: OutlinedFile;
  old: OldVersionNumber;
  outline: Outline | null;
  /** Notes need space beside the code as well. */
  isNoted: boolean;
  children: ReactNode;
};

export function OutlinedCode({ file, old, outline, isNoted, children }: OutlinedProps) {
  const hasParts = outline !== null && outline.entries.length > 0;
  if (!hasParts && file.lines < LINES_MIN) return children;
  return (
    <div className={`outlined grid${isNoted ? " outlined-noted" : ""}`}>
      <div className="outline-side screen-only cluster small gap-6 rows-2">
        {file.lines >= LINES_MIN && <GoToLineForm file={file} old={old} />}
        {hasParts && <OutlineList page={atVersion(`/file/${file.id}`, old)} outline={outline} />}
      </div>
      <div>{children}</div>
    </div>
  );
}

function GoToLineForm({ file, old }: { file: OutlinedFile; old: OldVersionNumber }) {
  const text = useText().file;
  return (
    <form className="go-to-line line-up gap-2" method="get" action={`/file/${file.id}`} data-go-to-line>
      {old !== null && <input type="hidden" name="v" value={old} />}
      <label className="rigid" htmlFor="go-to-line">
        {text.goToLine}
      </label>
      <input
        className="input input-small"
        id="go-to-line"
        name={LINE_FIELD}
        type="number"
        min={1}
        max={file.lines}
        required
        autoComplete="off"
      />
      <button className="button button-small" type="submit">
        {text.go}
      </button>
    </form>
  );
}

function OutlineList({ page, outline }: { page: string; outline: Outline }) {
  const text = useText().file;
  const { entries, total, endLine } = outline;
  return (
    <nav className="outline" aria-label={text.outline}>
      <details data-outline data-end-line={endLine ?? undefined}>
        <summary>{text.outline}</summary>
        {endLine !== null && <p className="soft">{text.outlineCut(entries.length, total)}</p>}
        <ol>
          {entries.map(({ name, line, depth }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line may define one name twice
            <li key={i} className={`outline-${depth}`}>
              <a href={toLineAddress(page, line)} data-line={line}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

import type { ReactNode } from "react";
import { useText } from "#app/i18n/text.ts";
import type { OutlineEntry } from "#app/viewers/code/outline.ts";
import { atLine, atVersion, type OldVersionNumber } from "#app/viewers/views.ts";

/** The field of a typed line, which the page turns into the address of that line. */
export const LINE_FIELD = "line";

/** A text that is seen at once needs no way to its lines. */
const LINES_MIN = 30;

type OutlinedFile = { id: string; lines: number };
type OutlinedProps = {
  file: OutlinedFile;
  old: OldVersionNumber;
  entries: readonly OutlineEntry[];
  /** Notes take room beside the code, too. */
  isNoted: boolean;
  children: ReactNode;
};

/** Code with what leads to its places: a list of what it defines, and a field for the number of a line. */
export function OutlinedCode({ file, old, entries, isNoted, children }: OutlinedProps) {
  if (entries.length === 0 && file.lines < LINES_MIN) return children;
  return (
    <div className={isNoted ? "outlined outlined-noted" : "outlined"}>
      <div className="outline-side">
        {file.lines >= LINES_MIN && <GoToLine file={file} old={old} />}
        {entries.length > 0 && <Outline page={atVersion(`/file/${file.id}`, old)} entries={entries} />}
      </div>
      <div className="outlined-code">{children}</div>
    </div>
  );
}

function GoToLine({ file, old }: { file: OutlinedFile; old: OldVersionNumber }) {
  const text = useText().file;
  return (
    <form className="go-to-line" method="get" action={`/file/${file.id}`} data-go-to-line>
      {old !== null && <input type="hidden" name="v" value={old} />}
      <label htmlFor="go-to-line">{text.goToLine}</label>
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

function Outline({ page, entries }: { page: string; entries: readonly OutlineEntry[] }) {
  const text = useText().file;
  return (
    <nav className="outline" aria-label={text.outline}>
      <details data-outline>
        <summary>{text.outline}</summary>
        <ol>
          {entries.map(({ name, line, depth }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line may define one name twice
            <li key={i} className={`outline-${depth}`}>
              <a href={atLine(page, line)} data-line={line}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

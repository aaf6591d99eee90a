import { useSearchParams } from "@remix-run/react";
import { useText } from "#app/i18n/text.ts";
import { PART_FIELD, SHOWN_LINE_MAX, type ShownLines } from "#domain/text/text-part.ts";

type PartsProps = { shown: ShownLines; isBelow?: boolean };

export function CodeParts({ shown: { first, last, total, start }, isBelow = false }: PartsProps) {
  const text = useText().file;
  const [parameters] = useSearchParams();
  if (first === start && last === total) return null;
  const toPartAddress = (line: number) => {
    const query = new URLSearchParams(parameters);
    query.delete("L");
    query.set(PART_FIELD, `${line}`);
    return `?${query}`;
  };
  return (
    <nav
      className="cluster code-parts"
      aria-label={isBelow ? text.partsBelow : text.parts}
      data-code-lines={total}
    >
      <span>{text.shownLines(first, last, total)}</span>
      {first > start && (
        <a href={toPartAddress(first - 1)} rel="prev">
          {text.previousPart}
        </a>
      )}
      {last < total && (
        <a href={toPartAddress(last + 1)} rel="next">
          {text.nextPart}
        </a>
      )}
    </nav>
  );
}

export function CutLinesNote({ raw }: { raw: string | null }) {
  const { file: text, shares } = useText();
  return (
    <p className="plain-reason below-2 soft">
      {text.cutLines(SHOWN_LINE_MAX)} {raw !== null && <a href={raw}>{shares.raw}</a>}
    </p>
  );
}

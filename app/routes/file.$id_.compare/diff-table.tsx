import { useText } from "#app/i18n/text.ts";
import { toLineAddress } from "#app/viewers/views.ts";

type Stretch = { folded: boolean; lines: number; from: number; to: number; html: string };
type DiffTableProps = {
  fileId: string;
  to: number;
  diff: { stretches: readonly Stretch[] };
  isSplit: boolean;
};

export function DiffTabs({ address, isSplit }: { address: string; isSplit: boolean }) {
  const text = useText().versions;
  return (
    <nav className="tabs flex gap-1 edge-below" aria-label={text.layout}>
      <a href={address} aria-current={isSplit ? undefined : "page"}>
        {text.unified}
      </a>
      <a href={`${address}&view=split`} aria-current={isSplit ? "page" : undefined}>
        {text.split}
      </a>
    </nav>
  );
}

export function DiffTable({ fileId, to, diff, isSplit }: DiffTableProps) {
  const text = useText().versions;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll-box from-start" aria-label={text.diff} tabIndex={0} dir="ltr">
      <div className={isSplit ? "diff diff-split" : "diff"}>
        {diff.stretches.map((stretch) => (
          <StretchRows
            key={`${stretch.from}:${stretch.to}`}
            stretch={stretch}
            address={toLineAddress(`/file/${fileId}?v=${to}`, stretch.to)}
          />
        ))}
      </div>
    </section>
  );
}

/** A stretch that is too long to include is a link to its lines. */
function StretchRows({ stretch, address }: { stretch: Stretch; address: string }) {
  const text = useText().versions;
  const { folded, lines, html } = stretch;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the diff escapes everything the texts contain
  const rows = <div dangerouslySetInnerHTML={{ __html: html }} />;
  if (!folded) return rows;
  if (html === "")
    return (
      <a className="diff-fold soft block sunk pad-4 pad-block-1" href={address}>
        <bdi>{text.unchanged(lines)}</bdi>
      </a>
    );
  return (
    <details>
      <summary className="diff-fold soft block sunk pad-4 pad-block-1">
        <bdi>{text.unchanged(lines)}</bdi>
      </summary>
      {rows}
    </details>
  );
}

import type { ReactNode } from "react";
import { LanguageDot } from "#app/files/list/file-rows.tsx";
import { MarkedText } from "#app/files/list/marked.tsx";
import { useText } from "#app/i18n/text.ts";
import type { ShownHit } from "#app/search/shown-hit.server.ts";
import { toFileAddress } from "#app/viewers/views.ts";
import { removeBidiOverrides } from "#app/web/ui/bidi-controls.ts";
import { FileName } from "#app/web/ui/file-name.tsx";
import type { Command } from "#app/web/ui/frame/commands.ts";
import { Icon } from "#app/web/ui/icon.tsx";

export function SuggestionGroup({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

type LinkProps = { href: string; icon: ReactNode; fill?: string; children: ReactNode };

/** Links to a page. In the list below a search box, choosing a suggestion with `fill` fills the box instead. */
export function LinkSuggestion({ href, icon, fill, children }: LinkProps) {
  return (
    <li>
      <a className="suggestion" href={href} data-fill={fill}>
        {icon}
        {children}
      </a>
    </li>
  );
}

export function FileSuggestion({ file }: { file: { id: string; file_name: string; language: string } }) {
  return (
    <LinkSuggestion href={toFileAddress(file)} icon={<LanguageDot language={file.language} />}>
      <FileName name={file.file_name} className="mono" />
    </LinkSuggestion>
  );
}

/** A hit opens at its best line, or at its beginning if its name matches. */
export function HitSuggestion({ hit }: { hit: ShownHit }) {
  const parts = hit.titleParts.map(({ text, hit }) => ({ text: removeBidiOverrides(text), hit }));
  const icon = hit.language === null ? <Icon name="note" /> : <LanguageDot language={hit.language} />;
  return (
    <LinkSuggestion href={hit.bestUrl} icon={icon}>
      <span className={hit.kind === "note" ? "suggestion-name" : "suggestion-name mono"}>
        <bdi dir={hit.kind === "note" ? "auto" : "ltr"}>
          <MarkedText parts={parts} />
        </bdi>
      </span>
      <HitFolder hit={hit} />
      <HitReason hit={hit} />
    </LinkSuggestion>
  );
}

/** The folder of a library file, so that two files with the same name can be told apart. */
function HitFolder({ hit: { repo, path } }: { hit: ShownHit }) {
  const folder = repo === null && path?.slice(0, path.lastIndexOf("/") + 1);
  if (!folder) return null;
  return (
    <bdi className="rigid soft mono tiny" dir="ltr">
      {removeBidiOverrides(folder)}
    </bdi>
  );
}

/** The place of a hit or its matching line, or its tags if no line matches. */
function HitReason({ hit: { repo, path, lines, tags } }: { hit: ShownHit }) {
  const [best] = lines;
  if (repo !== null)
    return (
      <bdi className="suggestion-more soft tiny" dir="ltr">
        {repo}/{path}
      </bdi>
    );
  if (best)
    return (
      <bdi className="suggestion-more soft tiny mono" dir="auto">
        <MarkedText parts={best.match.parts} />
      </bdi>
    );
  if (tags.length === 0) return null;
  return <bdi className="suggestion-more soft tiny">{tags.map((tag) => `#${tag}`).join(" ")}</bdi>;
}

export function FilterSuggestion({ filter, q }: { filter: string; q: string }) {
  const text = useText().search;
  const name = filter.slice(0, filter.indexOf(":"));
  const help = Object.entries(text.helps).find(([filterName]) => filterName === name)?.[1];
  return (
    <LinkSuggestion href={`/go?${new URLSearchParams({ q })}`} icon={<Icon name="tag" />} fill={q}>
      <span className="suggestion-name mono">
        <bdi dir="ltr">{filter}</bdi>
      </span>
      {filter.endsWith(":") && <span className="suggestion-more soft tiny">{help}</span>}
    </LinkSuggestion>
  );
}

export function CommandSuggestion({ command }: { command: Command }) {
  const icon = <Icon name={command.icon} />;
  if ("href" in command)
    return (
      <LinkSuggestion href={command.href} icon={icon}>
        {command.name}
      </LinkSuggestion>
    );
  return (
    <li>
      <form method="post" action={command.action} data-leaving={command.leaving}>
        <button className="suggestion" type="submit" {...command.field}>
          {icon}
          {command.name}
        </button>
      </form>
    </li>
  );
}

/** Only the browser knows the recent searches, so its script fills this. */
export function RecentSearches() {
  const text = useText().keys;
  return (
    <section aria-labelledby="go-recent" data-recent-searches hidden>
      <h2 id="go-recent">{text.goRecent}</h2>
      <ul>
        <li>
          <button className="suggestion" type="button" data-clear-recent>
            <Icon name="remove" />
            {text.goClearRecent}
          </button>
        </li>
      </ul>
    </section>
  );
}

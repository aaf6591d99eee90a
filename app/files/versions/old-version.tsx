import type { FileView } from "#app/files/code/view-tabs.tsx";
import { useText } from "#app/i18n/text.ts";
import { isViewed, VIEWS } from "#app/viewers/views.ts";
import { Icon } from "#app/web/ui/icon.tsx";

type OldVersionProps = {
  file: { id: string; language: string; version: number };
  newest: number;
  view: FileView;
};

export function OldVersionNotice({ file, newest, view }: OldVersionProps) {
  const text = useText().versions;
  const { id, language, version } = file;
  if (version === newest) return null;
  const newestAddress = view === "preview" && isViewed(language) ? VIEWS[language](id) : `/file/${id}`;
  return (
    <aside
      className="cluster alert-caution below-4 round gap-3 rows-2 pad-4 pad-block-2"
      aria-label={text.version}
    >
      <Icon name="clock" />
      <p>{text.old(version, newest)}</p>
      <div className="actions pushed">
        <a className="button button-small" href={newestAddress}>
          {text.toNewest}
        </a>
        <a className="button button-small" href={`/file/${id}/compare?from=${version}&to=${newest}`}>
          {text.compare}
        </a>
        <form method="post" action={`/file/${id}/history`}>
          <button className="button button-small" type="submit" name="version" value={version}>
            {text.restore(version)}
          </button>
        </form>
      </div>
    </aside>
  );
}

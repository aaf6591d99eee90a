import { Icon } from "#app/components/icon.tsx";
import { useText } from "#app/i18n/text.ts";

/** Said above a version that is not the newest, with the ways on from it. */
export function OldVersion({ fileId, version, newest }: { fileId: string; version: number; newest: number }) {
  const text = useText().versions;
  if (version === newest) return null;
  return (
    <aside className="old-version" aria-label={text.version}>
      <Icon name="clock" />
      <p>{text.old(version, newest)}</p>
      <div className="actions">
        <a className="button button-small" href={`/file/${fileId}`}>
          {text.toNewest}
        </a>
        <a className="button button-small" href={`/file/${fileId}/compare?from=${version}&to=${newest}`}>
          {text.compare}
        </a>
      </div>
    </aside>
  );
}

import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/ui/icon.tsx";

/** Laid over the page while files are dragged across it by `enhance/files/dropped-files.ts`. */
export function DropOverlay({ folder }: { folder?: string }) {
  const text = useText().dropped;
  return (
    <div
      className="drop-overlay"
      data-dropped-files={folder ? `/upload?folder=${folder}` : "/upload"}
      data-saving={text.saving}
      hidden
    >
      <p>
        <Icon name="plus" />
        <span role="status">{text.drop}</span>
      </p>
    </div>
  );
}

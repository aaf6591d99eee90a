import { isolateLtr } from "#app/i18n/isolate.ts";
import { useText } from "#app/i18n/text.ts";
import { formatBytes } from "#app/web/ui/size-text.ts";

const NEARLY_FULL = 0.9;

type StorageOnPage = { used_bytes: number; max_bytes: number | null };

export function StorageMeter({ used_bytes, max_bytes }: StorageOnPage) {
  const text = useText().fileActions;
  if (max_bytes === null) return null;
  const words = text.used(isolateLtr(formatBytes(used_bytes)), isolateLtr(formatBytes(max_bytes)));
  return (
    <div className="storage small grid gap-1 full">
      <meter
        className="full sunk round"
        min={0}
        max={max_bytes}
        high={max_bytes * NEARLY_FULL}
        value={used_bytes}
        aria-labelledby="storage-used"
        aria-describedby="storage-what"
      />
      <p id="storage-used">{words}</p>
      <p className="soft" id="storage-what">
        {text.usedWhat}
      </p>
      {used_bytes > max_bytes * NEARLY_FULL && (
        <p>
          <a href="/trash">{text.usedNearly}</a>
        </p>
      )}
    </div>
  );
}

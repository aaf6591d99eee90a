import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/web/ui/icon.tsx";

/** Reports that the browser is offline; `enhance/offline/offline.ts` fills it. Empty without JavaScript, because nothing is stored then. */
export function OfflineSign() {
  const text = useText().offline;
  return (
    <div
      className="alert-caution offline-sign screen-only line-up gap-3 fit lifted small"
      role="status"
      data-offline={JSON.stringify(text.signs)}
      hidden
    >
      <Icon name="offline" />
      <p />
      <a className="rigid pad-block-1" href="/offline">
        {text.look}
      </a>
    </div>
  );
}

import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/ui/icon.tsx";

/** Closes a part of a page that is shown over another one; on its own page it is not there. */
export function SheetClose() {
  const text = useText().keys;
  return (
    <form method="dialog" className="sheet-close">
      <button className="button button-quiet" type="submit" aria-label={text.close} title={text.close}>
        <Icon name="remove" />
      </button>
    </form>
  );
}

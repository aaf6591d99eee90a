import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/web/ui/icon.tsx";

/** Closes a sheet over a page; hidden if the same content is a page of its own. */
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

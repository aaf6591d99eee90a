import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/ui/icon.tsx";

/** Laid over the page while files are dragged across it by `enhance/arrival.ts`. */
export function DropVeil() {
  const text = useText().arrival;
  return (
    <div className="drop-veil" data-arrival="/upload" hidden>
      <p>
        <Icon name="plus" />
        {text.drop}
      </p>
    </div>
  );
}

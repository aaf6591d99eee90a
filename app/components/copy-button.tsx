import { Icon } from "#app/components/icon.tsx";
import { useText } from "#app/i18n/text.ts";

/** Copies what an address answers; `enhance/copy.ts` is what makes it work, and without JavaScript it is not shown. */
export function CopyButton({ from }: { from: string }) {
  const text = useText().file;
  return (
    <button
      className="button needs-script"
      type="button"
      data-copy={from}
      data-copied={text.copied}
      data-copy-failed={text.copyFailed}
    >
      <Icon name="copy" />
      <span aria-live="polite">{text.copy}</span>
    </button>
  );
}

import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/web/ui/icon.tsx";

/** Copies a text, or the text behind an address, with `enhance/files/copy.ts`; hidden without JavaScript. */
type Copied = { from: string; text?: never; named?: never } | { text: string; from?: never; named: string };

export function CopyButton({ from, text: copied, named }: Copied) {
  const text = useText().file;
  return (
    <button
      className="button needs-script"
      type="button"
      data-copy={from}
      data-copy-text={copied}
      data-copied={text.copied}
      data-copy-failed={text.copyFailed}
    >
      <Icon name="copy" />
      <span aria-live="polite">{text.copy}</span>
      {named && <span className="visually-hidden">{named}</span>}
    </button>
  );
}

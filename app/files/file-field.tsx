import type { InputHTMLAttributes } from "react";
import { useText } from "#app/i18n/text.ts";

/**
 * A choice of files in our words. They lie over the browser's own, which stand there without JavaScript: only a script can tell
 * which files were chosen. `enhance/file-fields.ts` shows them.
 */
export function FileField({ multiple, ...more }: InputHTMLAttributes<HTMLInputElement>) {
  const { chooseOne, chooseMany, chosenNone } = useText().dropped;
  return (
    <div className="file-field" data-file-field>
      <input className="input" type="file" multiple={multiple} {...more} />
      <span className="file-field-words" aria-hidden="true" hidden>
        <span className="button">{multiple ? chooseMany : chooseOne}</span>
        <span data-names={chosenNone} dir="auto" />
      </span>
    </div>
  );
}

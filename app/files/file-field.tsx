import type { InputHTMLAttributes } from "react";
import { useText } from "#app/i18n/text.ts";

/**
 * A file input with the product's words over the browser's. Without JavaScript the browser's control stays visible, because only a script
 * knows the chosen files; `enhance/editor/file-fields.ts` shows them.
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

import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { wrapsLines } from "#app/reading.ts";
import { Icon } from "#app/ui/icon.tsx";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";

type CodeFieldProps = {
  label: string;
  text: string | undefined;
  rows: number;
  dir: "ltr" | "auto";
  isProse?: boolean;
  className?: string;
};

/** A field for code; `enhance/code-field.ts` puts an editor in its place where there is JavaScript, and a way back. */
export function CodeField({ label, text, rows, dir, isProse = false, className = "" }: CodeFieldProps) {
  const words = useText().editor;
  const { code_wrap } = usePage().reading;
  return (
    <div className="field" data-code-field data-phrases={JSON.stringify(words.phrases)}>
      <div className="cluster spread code-field-head">
        <label htmlFor="text">{label}</label>
        <button className="button button-small needs-script" type="button" data-plain aria-pressed="false">
          {words.plain}
        </button>
      </div>
      <textarea
        className={`input code ${className}`}
        id="text"
        name="text"
        rows={rows}
        dir={dir}
        wrap={wrapsLines(code_wrap, isProse) ? "soft" : "off"}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        defaultValue={text}
      />
      <div className="alert" role="alert" data-too-large={BODY_MAX_BYTES} hidden>
        <Icon name="alert" />
        <p>{words.tooLarge}</p>
      </div>
      <p className="field-hint keys-hint needs-script" id="text-keys" data-editor-keys>
        {words.keys}
      </p>
    </div>
  );
}

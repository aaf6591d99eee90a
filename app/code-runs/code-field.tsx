import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import { wrapsLines } from "#app/reading.ts";
import highlightStyles from "#app/styles/viewers/highlight.css?url";
import proseStyles from "#app/styles/viewers/prose.css?url";
import { Icon } from "#app/web/ui/icon.tsx";
import { BODY_MAX_BYTES } from "#domain/files/file.ts";
import { ROOT_FOLDER } from "#domain/files/file-query.ts";

type CodeFieldProps = {
  label: string;
  text: string | undefined;
  rows: number;
  dir: "ltr" | "auto";
  isProse?: boolean;
  className?: string;
  /** Offers a preview of Markdown, whose relative links start in this folder. */
  previewIn?: { folder: string | null };
};

/** A field for code. With JavaScript `enhance/code-field.ts` replaces it by an editor that can be switched back. */
export function CodeField({
  label,
  text,
  rows,
  dir,
  isProse = false,
  className = "",
  previewIn,
}: CodeFieldProps) {
  const labels = useText().editor;
  const { code_wrap } = usePage().reading;
  return (
    <div className="field" data-code-field data-phrases={JSON.stringify(labels.phrases)}>
      <div className="cluster spread gap-3 rows-1">
        <label className="small firm" htmlFor="text">
          {label}
        </label>
        <div className="actions">
          {previewIn && (
            <button
              className="button button-small"
              type="button"
              data-preview-toggle
              aria-pressed="false"
              hidden
            >
              {labels.preview}
            </button>
          )}
          <button className="button button-small needs-script" type="button" data-plain aria-pressed="false">
            {labels.plain}
          </button>
        </div>
      </div>
      <div className="code-field-body grid">
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
        {previewIn && <MarkdownPreview folder={previewIn.folder} />}
      </div>
      <div className="alert" role="alert" data-too-large={BODY_MAX_BYTES} hidden>
        <Icon name="alert" />
        <p>{labels.tooLarge}</p>
      </div>
      <p className="soft small keys-hint needs-script" id="text-keys" data-editor-keys>
        {labels.keys}
      </p>
    </div>
  );
}

/** Opened and filled by `enhance/editor/markdown-preview.ts`, which loads these styles first. */
function MarkdownPreview({ folder }: { folder: string | null }) {
  const labels = useText().editor;
  return (
    <section
      className="markdown-preview pad-4 raised edge round"
      aria-label={labels.preview}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      data-markdown-preview
      data-folder={folder ?? ROOT_FOLDER}
      hidden
    >
      <template>
        <link rel="stylesheet" href={highlightStyles} />
        <link rel="stylesheet" href={proseStyles} />
      </template>
      <div className="prose" data-markdown-body />
    </section>
  );
}

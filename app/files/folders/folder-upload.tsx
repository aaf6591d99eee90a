import { useText } from "#app/i18n/text.ts";
import { Icon } from "#app/web/ui/icon.tsx";
import { FILE_PATH_REFUSALS } from "#domain/files/folders/file-path.ts";

const FILE_REFUSALS = [
  "binary_content",
  "payload_too_large",
  ...FILE_PATH_REFUSALS,
  "folder_limit",
  "library_full",
  "auth_required",
  "storage_unavailable",
  "writing_paused",
  "disk_full",
  "internal",
] as const;

/** Selects a whole folder. It needs JavaScript, because only a script can send files with their paths. */
export function UploadFolderButton() {
  const text = useText().folders.upload;
  return (
    <button className="button needs-script" type="button" data-choose-folder>
      <Icon name="files" />
      {text.choose}
    </button>
  );
}

type FolderUploadProps = { folder: string | null; path: readonly string[] };

/** The progress of a folder upload, filled by `enhance/folders/folder-upload.ts`. `path` is its destination. */
export function FolderUpload({ folder, path }: FolderUploadProps) {
  const { folders, refusals } = useText();
  const text = folders.upload;
  return (
    <section
      className="surface folder-upload grid gap-2 around-4 pad-4 lifted"
      aria-labelledby="folder-upload"
      data-folder-upload={folder ?? ""}
      data-path={JSON.stringify(path)}
      data-words={JSON.stringify(text.words)}
      data-refusals={JSON.stringify(Object.fromEntries(FILE_REFUSALS.map((code) => [code, refusals[code]])))}
      hidden
    >
      <h2 id="folder-upload">{text.title}</h2>
      <progress className="full" aria-labelledby="folder-upload" value={0} max={1} />
      <p role="status" />
      <ul className="small" />
      <div className="actions buttons-small">
        <button className="button" type="button" data-upload-stop>
          {text.stop}
        </button>
        <a className="button button-primary" href="/files" data-upload-show hidden>
          {text.show}
        </a>
        <button className="button" type="button" data-upload-undo hidden>
          <Icon name="undo" />
          {text.undo}
        </button>
        <button className="button" type="button" data-upload-close hidden>
          {text.close}
        </button>
      </div>
    </section>
  );
}

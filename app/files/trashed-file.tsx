import { FileActionForm } from "#app/files/file-actions.tsx";
import { useText } from "#app/i18n/text.ts";
import { Facts } from "#app/web/ui/facts.tsx";
import { FileName } from "#app/web/ui/file-name.tsx";
import { Icon } from "#app/web/ui/icon.tsx";
import { Moment } from "#app/web/ui/moment.tsx";

export type TrashedFilePage = {
  file_id: string;
  file_name: string;
  deleted_at: string;
  text: string;
  isWhole: boolean;
};

export function TrashedFile({ file }: { file: TrashedFilePage }) {
  const { fileActions: text } = useText();
  return (
    <>
      <p>
        <FileName name={file.file_name} />
      </p>
      <Facts facts={[[text.deletedAt, <Moment key="deleted" at={file.deleted_at} />]]} />
      <div className="actions">
        <FileActionForm>
          <button
            className="button button-primary"
            type="submit"
            name="intent"
            value={`restore:${file.file_id}`}
          >
            <Icon name="undo" />
            {text.restore}
          </button>
        </FileActionForm>
        <a className="button" href="/trash">
          <Icon name="trash" />
          {text.trashTitle}
        </a>
      </div>
      {!file.isWhole && <p className="soft">{text.textStart}</p>}
      {file.text !== "" && (
        <pre className="surface small mono breaks keeps-lines full pad-4" dir="auto">
          {file.text}
        </pre>
      )}
    </>
  );
}

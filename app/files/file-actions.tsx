import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { DetailFields } from "#app/files/about-fields.tsx";
import { FolderField } from "#app/files/folders/folder-field.tsx";
import type { FilePlacing } from "#app/files/folders/listed-folder.server.ts";
import { NameTakenHint } from "#app/files/name-hint.tsx";
import { useText } from "#app/i18n/text.ts";
import { Field } from "#app/web/ui/field.tsx";
import { Icon, type IconName } from "#app/web/ui/icon.tsx";
import { isAboutFolder, type RefusedForm, useRefusedForm } from "#app/web/ui/refused-form.ts";
import { DETAIL_NAMES, FILE_DETAILS, type FileDetails, toTypedDetails } from "#domain/files/file-details.ts";

/** A form for actions on files. All of them post to one route, which redirects back to this page. */
export function FileActionForm({
  next,
  className,
  children,
}: {
  next?: string;
  className?: string;
  children: ReactNode;
}) {
  const { pathname, search } = useLocation();
  return (
    <form className={className} method="post" action="/files/actions">
      <input type="hidden" name="next" value={next ?? pathname + search} />
      {children}
    </form>
  );
}

type IntentButtonProps = { intent: string; icon?: IconName; words: string; download?: boolean };

export function IntentButton({ intent, icon, words, download }: IntentButtonProps) {
  return (
    <button
      className="button button-small"
      type="submit"
      name="intent"
      value={intent}
      data-download={download}
    >
      {icon && <Icon name={icon} />}
      {words}
    </button>
  );
}

export function SampleForm() {
  const text = useText().fileActions;
  return (
    <FileActionForm next="/dashboard">
      <button className="button" type="submit" name="intent" value="sample">
        <Icon name="book" />
        {text.sample}
      </button>
    </FileActionForm>
  );
}

export type Marked = { id: string; file_name: string; is_favorite: boolean; is_pinned: boolean };

export function MarkButtons({ file }: { file: Marked }) {
  const text = useText().fileActions;
  const { id, file_name, is_favorite, is_pinned } = file;
  const star = is_favorite ? text.unstar(file_name) : text.star(file_name);
  const pin = is_pinned ? text.unpin(file_name) : text.pin(file_name);
  return (
    <>
      <MarkButton icon="star" fileId={id} pressed={is_favorite} label={star} title={text.starShort} />
      <MarkButton icon="pin" fileId={id} pressed={is_pinned} label={pin} title={text.pinShort} />
    </>
  );
}

type MarkButtonProps = {
  icon: "star" | "pin";
  fileId: string;
  pressed: boolean;
  label: string;
  title: string;
};

function MarkButton({ icon, fileId, pressed, label, title }: MarkButtonProps) {
  return (
    <button
      className="mark-small soft middle square-small bare round"
      type="submit"
      name="intent"
      value={`${icon}:${fileId}`}
      aria-pressed={pressed}
      aria-label={label}
      title={title}
    >
      <Icon name={icon} />
    </button>
  );
}

export function FileMarksForm({ file }: { file: Marked }) {
  return (
    <FileActionForm className="row-marks rigid inline-flex">
      <MarkButtons file={file} />
    </FileActionForm>
  );
}

type SingleVerb = { intent: string; icon: IconName; words: string; next?: string };

/** The actions on a file, each in its own form because they redirect to different pages. `list` is the address of the file's list. */
export function SingleFileForms({ file, list }: { file: Marked; list: string }) {
  const text = useText().fileActions;
  const verbs: readonly SingleVerb[] = [
    { intent: "duplicate", icon: "copy", words: text.duplicate },
    { intent: "trash", icon: "trash", words: text.trash, next: list },
  ];
  return (
    <>
      <a className="button" href={`/file/${file.id}/reminder`}>
        <Icon name="bell" />
        {text.remind}
      </a>
      {verbs.map(({ intent, icon, words, next }) => (
        <FileActionForm key={intent} next={next}>
          <button className="button" type="submit" name="intent" value={`${intent}:${file.id}`}>
            <Icon name={icon} />
            {words}
          </button>
        </FileActionForm>
      ))}
    </>
  );
}

type Described = FileDetails & { id: string; file_name: string };

/** The fields of the details form that a link can focus. */
const DETAIL_FIELDS = ["name", "folder"] as const;
type DetailField = (typeof DETAIL_FIELDS)[number];

/** Rename and Move link to a field of the details form, so they work without JavaScript. */
export function DetailLinks({ fileId, hasFolders }: { fileId: string; hasFolders: boolean }) {
  const text = useText();
  const address = (field: DetailField) => `/file/${fileId}?details=${field}`;
  return (
    <>
      <a className="button" href={address("name")}>
        <Icon name="edit" />
        {text.fileActions.rename}
      </a>
      {hasFolders && (
        <a className="button" href={address("folder")}>
          <Icon name="folder" />
          {text.fileActions.moveTo}
        </a>
      )}
    </>
  );
}

function findFaultyField(refused: RefusedForm): DetailField | "details" {
  if (isAboutFolder(refused)) return "folder";
  return DETAIL_NAMES.some((name) => FILE_DETAILS[name].refusal === refused.code) ? "details" : "name";
}

export function DescribeForm({ file, placing }: { file: Described; placing: FilePlacing }) {
  const text = useText();
  const { pathname, search } = useLocation();
  const parameters = new URLSearchParams(search);
  const refused = useRefusedForm(`describe:${file.id}`);
  const fault = refused && findFaultyField(refused);
  const opened = fault ?? DETAIL_FIELDS.find((field) => field === parameters.get("details"));
  // The next page shows the form closed.
  parameters.delete("details");
  const next = parameters.size > 0 ? `${pathname}?${parameters}` : pathname;
  return (
    <details name="file-panel" open={opened !== undefined}>
      <summary>{text.fileActions.details}</summary>
      <FileActionForm className="card form" next={next}>
        <Field
          name="file_name"
          label={text.upload.fileName}
          value={refused?.fields.file_name ?? file.file_name}
          code
          invalid={fault === "name"}
          required
          takesFocus={opened === "name"}
        >
          {opened === "name" && (
            <NameTakenHint renamed={{ id: file.id, folder_id: placing.trail.at(-1)?.id ?? null }} />
          )}
        </Field>
        <FolderField
          id="file-folder"
          name={text.folders.folder}
          choices={placing.choices}
          chosen={refused?.fields.folder ?? placing.trail.at(-1)?.id ?? null}
          takesFocus={opened === "folder"}
        />
        <DetailFields shown={{ ...toTypedDetails(file), ...refused?.fields }} code={refused?.code} />
        <div className="actions">
          <button className="button button-primary" type="submit" name="intent" value={`describe:${file.id}`}>
            {text.fileActions.saveDetails}
          </button>
        </div>
      </FileActionForm>
    </details>
  );
}

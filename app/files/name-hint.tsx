import { useText } from "#app/i18n/text.ts";

export type RenamedFile = { id: string; folder_id: string | null };

/**
 * Empty without JavaScript. With it, it says that the typed name exists in the chosen folder. `renamed` is the file that would get the
 * name; without it, saving adds a version to the existing file.
 */
export function NameTakenHint({ renamed }: { renamed?: RenamedFile }) {
  const text = useText().upload;
  return (
    <p
      className="soft small name-hint"
      role="status"
      data-name-hint={renamed ? text.nameTaken : text.nameExists}
      data-renamed={renamed?.id}
      data-folder={renamed?.folder_id}
    />
  );
}

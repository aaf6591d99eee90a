import { useText } from "#app/i18n/text.ts";

export type RenamedFile = { id: string; folder_id: string | null };

/**
 * Stays empty without JavaScript. With it, it says that a file of the typed name exists in the chosen folder. `renamed` is the file that
 * would get the name; without one, saving makes a version of the file that has it.
 */
export function NameHint({ renamed }: { renamed?: RenamedFile }) {
  const text = useText().upload;
  return (
    <p
      className="field-hint name-hint"
      role="status"
      data-name-hint={renamed ? text.nameTaken : text.nameExists}
      data-renamed={renamed?.id}
      data-folder={renamed?.folder_id}
    />
  );
}

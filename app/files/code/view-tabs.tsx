import { useText } from "#app/i18n/text.ts";
import { atVersion, isViewed, type OldVersionNumber, VIEWS } from "#app/viewers/views.ts";

/** A comparison of two versions belongs to the history. */
export type FileView = "source" | "preview" | "history" | "comparison";

type TabsProps = {
  file: { id: string; language: string };
  old: OldVersionNumber;
  view: FileView;
};

const HISTORY_CURRENT: Partial<Record<FileView, "page" | "true">> = { history: "page", comparison: "true" };

export function ViewTabs({ file, old, view }: TabsProps) {
  const { viewers, versions } = useText();
  const tabs: ["source" | "preview", string][] = [["source", `/file/${file.id}`]];
  if (isViewed(file.language)) tabs.push(["preview", VIEWS[file.language](file.id)]);
  return (
    <nav className="tabs flex gap-1 edge-below" aria-label={viewers.views}>
      {tabs.map(([name, path]) => (
        <a key={name} href={atVersion(path, old)} aria-current={name === view ? "page" : undefined}>
          {viewers[name]}
        </a>
      ))}
      <a href={`/file/${file.id}/history`} aria-current={HISTORY_CURRENT[view]}>
        {versions.history}
      </a>
    </nav>
  );
}

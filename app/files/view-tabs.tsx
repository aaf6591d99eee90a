import { useText } from "#app/i18n/text.ts";
import { atVersion, isViewed, type OldVersionNumber, VIEWS } from "#app/viewers/views.ts";

type TabsProps = {
  file: { id: string; language: string };
  old: OldVersionNumber;
  view: "source" | "preview";
};

/** The ways to look at a file, and its versions, as plain links. */
export function ViewTabs({ file, old, view }: TabsProps) {
  const { viewers, versions } = useText();
  const tabs = [["source", `/file/${file.id}`]] as ["source" | "preview", string][];
  if (isViewed(file.language)) tabs.push(["preview", VIEWS[file.language](file.id)]);
  return (
    <nav className="tabs" aria-label={viewers.views}>
      {tabs.map(([name, path]) => (
        <a key={name} href={atVersion(path, old)} aria-current={name === view ? "page" : undefined}>
          {viewers[name]}
        </a>
      ))}
      <a href={`/file/${file.id}/history`}>{versions.history}</a>
    </nav>
  );
}

import { useText } from "#app/i18n/text.ts";
import { atVersion, isViewed, type OldVersionNumber, VIEWS } from "#app/viewers/views.ts";

type TabsProps = {
  file: { id: string; language: string };
  old: OldVersionNumber;
  view: "source" | "preview";
};

/** The ways to look at a file, as plain links; nothing where there is only one. */
export function ViewTabs({ file, old, view }: TabsProps) {
  const text = useText().viewers;
  if (!isViewed(file.language)) return null;
  const tabs = { source: `/file/${file.id}`, preview: VIEWS[file.language](file.id) };
  return (
    <nav className="tabs" aria-label={text.views}>
      {(["source", "preview"] as const).map((name) => (
        <a key={name} href={atVersion(tabs[name], old)} aria-current={name === view ? "page" : undefined}>
          {text[name]}
        </a>
      ))}
    </nav>
  );
}

import { useText } from "#app/i18n/text.ts";
import { usePage } from "#app/page-context.ts";
import type { IconName } from "#app/web/ui/icon.tsx";

export type Command = { name: string; icon: IconName } & (
  | { href: string }
  | { action: string; field?: { name: string; value: string }; leaving?: string }
);

export function useCommands(): Command[] {
  const text = useText();
  const { theme } = usePage();
  const { commands } = text.keys;
  const themes = (["dark", "light"] as const).filter((name) => name !== theme);
  return [
    { name: commands.newFile, icon: "plus", href: "/upload" },
    { name: commands.newNote, icon: "note", href: "/notes/new" },
    { name: commands.runCode, icon: "play", href: "/tools/code" },
    ...themes.map((value) => ({
      name: commands.themes[value],
      icon: value === "dark" ? ("moon" as const) : ("sun" as const),
      action: "/preferences",
      field: { name: "theme", value },
    })),
    { name: text.help.title, icon: "help", href: "/help/shortcuts" },
    { name: text.keys.title, icon: "help", href: "/help/shortcuts#shortcuts-title" },
    { name: commands.api, icon: "code", href: "/api-docs" },
    { name: text.nav.logout, icon: "leave", action: "/logout", leaving: text.offline.leaving },
  ];
}

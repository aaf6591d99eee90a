import { amount } from "#app/i18n/amount.ts";

export const settings = {
  title: "Settings",
  display: "Appearance",
  zone: "Time zone",
  zoneLead: "Used for reminders.",
  keys: "Keyboard shortcuts",
  keysLead: "For example, / for search.",
  keysOn: "On",
  keysOff: "Off",
  more: "More settings",
  places: {
    devices: { name: "Notifications", words: "Devices that get your reminders." },
    feeds: { name: "Calendar feeds", words: "Reminders in your calendar or feed reader." },
    tokens: { name: "Access tokens", words: "For scripts and agents." },
    "sign-in": { name: "Login and security", words: "Login methods, sessions, tokens and devices." },
    export: { name: "Export and import", words: "Your library as a zip." },
    delete: { name: "Delete account", words: "Permanently delete everything." },
  },
  back: "All settings",
  agent: "Agent instructions",
  agentLead: "Agents read this before they work with your library. They get it from /api/agent/primer.",
  agentField: "Instructions",
  agentMeter: "Space used",
  agentSave: "Save instructions",
  agentSecrets: "Passwords and keys are removed before an agent reads this.",

  here: "this browser",
  endOthers: "Log out other sessions",
  onlyHere: "No other sessions.",
  sessionsEnded: (count: number) =>
    count === 0
      ? "No other sessions"
      : count === 1
        ? "1 session logged out"
        : `${amount(count)} sessions logged out`,
  said: { instructions: "Instructions saved", deleted: "Your account was deleted" },

  exportTitle: "Export and import",
  exportHead: "Export",
  exportLead: "Files with all versions, trash, notes, boards, reminders and settings.",
  exportSecrets: "Not included: tokens, devices, feed addresses, links and sessions.",
  exportAction: "Download zip",

  deleteTitle: "Delete account",
  deleteLead: "This permanently deletes:",
  deleteWhat: [
    "all files, versions and trash",
    "all notes, boards and reminders",
    "all links, tokens, feeds and devices",
    "your settings and name",
  ],
  deleteFirst: "This can’t be undone. Export your library first if you may need it.",
  deleteExport: "Export library",
  deleteField: (word: string) => `Type “${word}” to confirm`,
  deleteWord: "delete my account",
  deleteAction: "Delete my account",
};

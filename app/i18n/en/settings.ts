import { amount } from "#app/i18n/amount.ts";

/** The words of the settings: what a person chooses, takes with them and takes away. */
export const settings = {
  title: "Settings",
  display: "How it looks",
  zone: "Time zone",
  zoneLead: "Reminders and their times are told in this zone.",
  keys: "Keyboard shortcuts",
  keysLead: "Single keys that do things, such as / for the search box. They never act while you type.",
  keysOn: "On",
  keysOff: "Off",
  more: "More settings",
  places: {
    devices: { name: "Notifications", words: "The devices that your reminders reach." },
    feeds: { name: "Calendar feeds", words: "Your reminders in a calendar or a feed reader." },
    tokens: { name: "Access tokens", words: "For scripts and agents that work with your library." },
    sessions: {
      name: "Sessions and access",
      words: "Every browser, token, feed and device, and how to end it.",
    },
    export: { name: "Export and import", words: "Everything you keep as one zip, and the way back." },
    delete: { name: "Delete your account", words: "All you keep, for good." },
  },
  back: "All settings",
  agent: "Agent instructions",
  agentLead:
    "What an agent reads before it works with your library: your habits, your rules, where things are. It gets them, with a line on your newest files, from /api/agent/primer.",
  agentField: "Instructions",
  agentMeter: "Size of the instructions",
  agentSave: "Save the instructions",
  agentSecrets: "Passwords and keys that look like such are left out when an agent reads this.",

  here: "this browser",
  endOthers: "Log out everywhere else",
  onlyHere: "You are logged in nowhere else.",
  sessionsEnded: (count: number) =>
    count === 0
      ? "You were logged in nowhere else."
      : count === 1
        ? "1 other session is logged out."
        : `${amount(count)} other sessions are logged out.`,
  said: {
    instructions: "The instructions are saved.",
    deleted: "Your account and everything in it is deleted.",
  },

  exportTitle: "Export and import",
  exportHead: "Export everything",
  exportLead:
    "One zip with every file and all its versions, the trash, notes with their earlier texts, boards, reminders and settings: texts as files, the rest as JSON.",
  exportSecrets: "Access tokens, devices, feed addresses, shares and sessions are not in it.",
  exportAction: "Download the zip",

  deleteTitle: "Delete your account",
  deleteLead: "This deletes, at once and for good:",
  deleteWhat: [
    "every file with all its versions, and the trash",
    "every note, board and reminder",
    "shares, access tokens, feeds and registered devices",
    "your settings and your name",
  ],
  deleteFirst: "There is no way back. If you may want any of it again, export it first.",
  deleteExport: "Export everything",
  deleteField: (word: string) => `Type “${word}” to confirm`,
  deleteWord: "delete my account",
  deleteAction: "Delete my account for good",
};

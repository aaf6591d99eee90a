import { amount } from "#app/i18n/amount.ts";
import { isolate } from "#app/i18n/isolate.ts";

/** The words around people: greetings, announcements and the list of accounts. */
export const greetings = {
  announcement: "Announcement",
  dismiss: "Dismiss this announcement",
  welcome: "Welcome to your shelf",
  begin: "Got it, let me begin",
  tour: {
    keep: {
      title: "Keep",
      words: "New takes files and pasted snippets. Saving a name again keeps every earlier version.",
    },
    find: {
      title: "Find",
      words: "One box searches names, tags and every line you keep. Press / to reach it.",
    },
    annotate: {
      title: "Come back",
      words: "Star, pin, tag and describe what you return to; deleted files wait 30 days.",
    },
    tools: { title: "Work on it", words: "Format and check code without leaving the page." },
  },
};

export const announcements = {
  title: "Announcements",
  lead: "The active one stands under the bar on everybody's pages until they dismiss it. There is one at most.",
  list: "All announcements",
  none: "No announcement yet",
  noneYet: "Write one above; it is seen once you activate it.",
  text: "Text",
  textHint: "One line, 280 characters at most.",
  link: "Link",
  linkHint: "A path of this site such as /files, or nothing.",
  create: "Add",
  save: "Save",
  edit: "Edit",
  active: "Active",
  activate: "Activate",
  deactivate: "Deactivate",
  remove: "Delete",
};

export const people = {
  title: "People",
  byId: "Messenger id",
  find: "Find",
  all: "Show everyone",
  none: "Nobody has this id",
  you: "(you)",
  lastSeen: "Last seen",
  sessions: (count: number) =>
    count === 0 ? "logged out" : count === 1 ? "1 active session" : `${amount(count)} active sessions`,
  appointed: "Set by the server's environment",
  roleOf: (name: string) => `Role of ${isolate(name)}`,
  setRole: "Set role",
  revoke: "End all access",
  revokeHint: "Ends all sessions, tokens, feeds and devices.",
  locked: "Locked",
  lock: "Lock",
  lockHint: "Nobody can use the account or its shares until you unlock it. Nothing is deleted.",
  lockSure: "Lock the account",
  unlock: "Unlock",
  actionOf: (verb: string, name: string) => `${verb}: ${isolate(name)}`,
  done: {
    role: "The role is set.",
    revoke: "All their access has ended.",
    lock: "The account is locked.",
    unlock: "The account is unlocked.",
  },
};

import { amount } from "#app/i18n/amount.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const greetings = {
  announcement: "Announcement",
  dismiss: "Dismiss announcement",
  welcome: "Welcome to Codeshelf",
  begin: "Close",
  searchKey: "Press / to start.",
  tour: {
    keep: { title: "Save", words: "Upload files or paste code with New. Every version is kept." },
    find: { title: "Find", words: "Search names, tags and code." },
    annotate: { title: "Annotate", words: "Select lines to add a note, and set a reminder on it." },
    tools: { title: "Run and share", words: "Run code on its page, and share it with a link." },
    share: { title: "Share", words: "Share a file, some of its lines or a folder with a link." },
  },
};

export const announcements = {
  title: "Announcements",
  lead: "Everyone sees the active announcement until they dismiss it. Only one can be active.",
  list: "All announcements",
  none: "No announcements yet",
  noneYet: "Add one above, then activate it.",
  text: "Text",
  textHint: "One line, up to 280 characters.",
  link: "Link",
  linkHint: "Optional; a path on this site, such as /files.",
  create: "Add announcement",
  save: "Save",
  edit: "Edit",
  active: "Active",
  activate: "Activate",
  deactivate: "Deactivate",
  remove: "Delete",
  removeSure: "Delete announcement",
};

export const people = {
  title: "People",
  accounts: "Accounts",
  byId: "User ID",
  nameOrId: "Name or user ID",
  find: "Find",
  all: "Show all",
  none: "No user found",
  you: "(you)",
  lastSeen: "Last seen",
  sessions: (count: number) =>
    count === 0 ? "No sessions" : count === 1 ? "1 session" : `${amount(count)} sessions`,
  appointed: "Set in the server configuration",
  roleLabel: (name: string) => `Role of ${isolate(name)}`,
  setRole: "Set role",
  rights: {
    regular: "Saves, finds and shares files. Cannot run code.",
    premium: "Can also run code.",
    admin: "Can also run code and manage this server.",
  },
  revoke: "End all access",
  revokeHint: "Ends all sessions, tokens, feeds and devices.",
  locked: "Locked",
  lock: "Lock",
  lockHint: "Blocks the account and its links until you unlock it. Nothing is deleted.",
  lockSure: "Lock account",
  unlock: "Unlock",
  actionLabel: (verb: string, name: string) => `${verb}: ${isolate(name)}`,
  signUp: {
    open: "Anyone who can log in gets an account. Set SIGN_UP=invited to admit only people you invite.",
    closed: "Nobody new gets an account. Set SIGN_UP=invited to invite people.",
  },
  invitations: {
    title: "Invitations",
    create: "New invitation",
    lead: (days: number) =>
      `New people need an invitation. Each link works once and expires after ${amount(days)} days.`,
    once: "Send this link to the person. It is shown only now.",
    link: "Invitation link",
    until: "Not used yet; expires",
    remove: "Remove",
  },
  joinRequests: { title: "Requests to join", approve: "Approve", decline: "Decline" },
  done: {
    approve: "Approved. The person can log in now.",
    decline: "Declined",
    uninvite: "Invitation removed",
    role: "Role updated",
    revoke: "All access ended",
    lock: "Account locked",
    unlock: "Account unlocked",
  },
};

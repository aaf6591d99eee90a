import { care } from "#app/i18n/en/care.ts";
import { credentials } from "#app/i18n/en/credentials.ts";
import { devices } from "#app/i18n/en/devices.ts";
import { explain } from "#app/i18n/en/explain.ts";
import { feeds } from "#app/i18n/en/feeds.ts";
import { imports } from "#app/i18n/en/imports.ts";
import { jobs } from "#app/i18n/en/jobs.ts";
import { keys } from "#app/i18n/en/keys.ts";
import { dashboard, file, files, finding, viewers } from "#app/i18n/en/library.ts";
import { boards, notes } from "#app/i18n/en/notes.ts";
import { observability } from "#app/i18n/en/observability.ts";
import { offline } from "#app/i18n/en/offline.ts";
import { operators } from "#app/i18n/en/operators.ts";
import { announcements, greetings, people } from "#app/i18n/en/people.ts";
import { refusals } from "#app/i18n/en/refusals.ts";
import { reminders } from "#app/i18n/en/reminders.ts";
import { repos } from "#app/i18n/en/repos.ts";
import { runs } from "#app/i18n/en/runs.ts";
import { dropped, editor, upload } from "#app/i18n/en/saving.ts";
import { settings } from "#app/i18n/en/settings.ts";
import { shares } from "#app/i18n/en/shares.ts";
import { tokens } from "#app/i18n/en/tokens.ts";
import { tools } from "#app/i18n/en/tools.ts";
import { versions } from "#app/i18n/en/versions.ts";

/** Every word a person reads. This dictionary is the type; the others satisfy it, so nothing stays untranslated. */
export const en = {
  product: "Codeshelf",
  tagline: "A personal library of code files.",
  skipToContent: "Skip to content",
  nav: {
    main: "Main",
    menu: "Menu",
    account: "Your account",
    display: "Theme and language",
    files: "All files",
    recent: "Recent",
    favorites: "Favourites",
    pinned: "Pinned",
    upload: "New",
    bin: "Trash",
    notes: "Notes",
    boards: "Boards",
    shares: "Shares",
    repos: "Repositories",
    dashboard: "Dashboard",
    jobs: "Jobs",
    settings: "Settings",
    devices: "Notifications",
    codeTools: "Code tools",
    announcements: "Announcements",
    people: "People",
    login: "Log in",
    logout: "Log out",
    logoutEverywhere: "Log out on every device",
    language: "Language",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark", contrast: "High contrast" },
  },
  roles: { regular: "Regular account", premium: "Premium account", admin: "Administrator" },
  home: {
    title: "Your code, on one shelf",
    lead: "Keep the scripts, snippets and notes you come back to. Find them, read them, annotate them, share them.",
    start: "Log in to start",
    open: "Open your files",
    picture:
      "A Python file open in Codeshelf: its name, tags and highlighted code, with three lines marked and sticky notes beside them.",
  },
  login: {
    title: "Log in",
    lead: "Use your messenger account. No password is kept here.",
    widget: "Log in with the messenger",
    widgetNeedsScript: "The messenger's button needs JavaScript. Allow it for this page to log in.",
    notConfigured: "Logging in is not set up on this server yet: it has no messenger bot.",
    localTitle: "Local sign-in",
    localLead: "This copy runs on its own machine without a messenger bot. Choose who you are:",
    localAs: (name: string) => `Continue as ${name}`,
    localAdmin: "Local administrator",
    localReader: "Local reader",
    localCode: "Sign-in code",
    localCodeHint: "It is printed next to the address when Codeshelf starts. This browser is asked once.",
    localElsewhere:
      "This copy lets in only who opens it on its own machine, at the address that it prints when it starts.",
  },
  logout: {
    title: "Log out?",
    lead: "Another site led you here. You stay logged in until you say otherwise.",
    confirm: "Log out",
  },
  settings,
  imports,
  credentials,
  feeds,
  offline,
  busy: {
    title: "Too many people at once",
    lead: "Codeshelf is busy right now and could not answer you in time. It will be better in a moment.",
    again: "Try again",
    notSaved: "What you sent was not saved. Go back, where it still is, and send it again.",
  },
  keys,
  apiDocs: {
    title: "The JSON API",
    lead: "Every endpoint, from the table that answers them.",
    inEnglish: "Their descriptions are in English, as in the OpenAPI document itself.",
    tokens: "Make an access token",
    nouns: "Parts of the API",
    access: {
      public: "Open to everyone.",
      user: "For whoever is logged in, or sends a token.",
      admin: "For administrators who are logged in.",
    },
    parameter: (place: string, required: boolean) =>
      `${place === "path" ? "in the path" : "in the query"}${required ? "" : ", optional"}`,
    body: "Body",
  },
  tokens,
  dashboard,
  files,
  file,
  viewers,
  upload,
  finding,
  versions,
  dropped,
  editor,
  care,
  reminders,
  repos,
  shares,
  operators,
  explain,
  observability,
  notes,
  boards,
  jobs,
  devices,
  runs,
  tools,
  greetings,
  announcements,
  people,
  flash: {
    loggedIn: "You are logged in.",
    loggedOut: "You are logged out.",
    loggedOutEverywhere:
      "You are logged out on every device. Tokens, feed addresses and notifications have ended too.",
  },
  sessionEnded: {
    title: "You were logged out",
    explanation:
      "Nothing is lost: what you wrote is here. Log in in a new tab, then come back and send it again.",
    filesLost: (count: number): string =>
      count === 1
        ? "The file you chose has to be chosen again."
        : "The files you chose have to be chosen again.",
    typed: "What you wrote",
    logIn: "Log in in a new tab",
    sendAgain: "Send again",
  },
  errors: {
    title: (status: number) => `Error ${status}`,
    heading: "That did not work",
    lockedHeading: "This account is locked",
    headings: {
      401: "Please log in",
      403: "Not allowed",
      404: "Nothing here",
      413: "Too large",
      429: "One moment, please",
      500: "Something broke",
      503: "Back in a moment",
    } as Record<number, string>,
    requestId: "Request id",
    backHome: "Back to the start",
    tryAgain: "Try again",
  },
  refusals,
};

export type Dictionary = typeof en;

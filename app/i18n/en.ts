import { credentials } from "#app/i18n/en/credentials.ts";
import { devices } from "#app/i18n/en/devices.ts";
import { explain } from "#app/i18n/en/explain.ts";
import { feeds } from "#app/i18n/en/feeds.ts";
import { fileActions } from "#app/i18n/en/file-actions.ts";
import { folders } from "#app/i18n/en/folders.ts";
import { gists } from "#app/i18n/en/gists.ts";
import { help } from "#app/i18n/en/help.ts";
import { imports } from "#app/i18n/en/imports.ts";
import { jobs } from "#app/i18n/en/jobs.ts";
import { keys } from "#app/i18n/en/keys.ts";
import { dashboard, file, files, finding, viewers } from "#app/i18n/en/library.ts";
import { boards, notes } from "#app/i18n/en/notes.ts";
import { observability } from "#app/i18n/en/observability.ts";
import { offline } from "#app/i18n/en/offline.ts";
import { operators } from "#app/i18n/en/operators.ts";
import { announcements, greetings, people } from "#app/i18n/en/people.ts";
import { reading } from "#app/i18n/en/reading.ts";
import { refusals } from "#app/i18n/en/refusals.ts";
import { reminders } from "#app/i18n/en/reminders.ts";
import { repos } from "#app/i18n/en/repos.ts";
import { runs } from "#app/i18n/en/runs.ts";
import { drafts, dropped, editor, upload } from "#app/i18n/en/saving.ts";
import { search } from "#app/i18n/en/search.ts";
import { settings } from "#app/i18n/en/settings.ts";
import { shares } from "#app/i18n/en/shares.ts";
import { signIn } from "#app/i18n/en/sign-in.ts";
import { tokens } from "#app/i18n/en/tokens.ts";
import { tools } from "#app/i18n/en/tools.ts";
import { versions } from "#app/i18n/en/versions.ts";
import { isolate } from "#app/i18n/isolate.ts";

/** Every visible word. The other dictionaries have the type of this one, so nothing stays untranslated. */
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
    recent: "Recently opened",
    favorites: "Favourites",
    pinned: "Pinned",
    upload: "New",
    trash: "Trash",
    notes: "Notes",
    boards: "Boards",
    shares: "Links",
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
    logoutEverywhere: "Log out everywhere",
    language: "Language",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark", contrast: "High contrast" },
  },
  roles: { regular: "Regular account", premium: "Premium account", admin: "Administrator" },
  home: {
    title: "Your code in one place",
    lead: "Save scripts, snippets and notes. Search, annotate and share them.",
    start: "Get started",
    open: "View files",
    picture:
      "A Python file open in Codeshelf: its name, tags and highlighted code, with three lines marked and sticky notes beside them.",
    scenes: {
      find: {
        title: "Find it in three letters",
        lead: "One search over file names, code, notes and mirrored repositories.",
        picture: "The search box with “ret” typed and retry.py as its first suggestion.",
      },
      run: {
        title: "Run it where you read it",
        lead: "Python, JavaScript and TypeScript run in a sandbox, with input and live output. Your administrator decides who can run code.",
        picture: "A Python program with its output beside it.",
      },
      remind: {
        title: "Be reminded",
        lead: "Set a time on any note or file, and get a notification when it is due.",
        picture: "Setting a reminder: each button says the time it sets.",
      },
      share: {
        title: "Share a link",
        lead: "A file, some of its lines or a whole folder, for as long as you choose.",
        picture: "A shared Markdown file, as a visitor sees it.",
      },
    },
  },
  login: {
    title: "Log in",
    lead: "Use your messenger account. No password needed.",
    widget: "Log in with the messenger",
    widgetNeedsScript: "Turn on JavaScript to log in with the messenger.",
    notConfigured: "Login is not set up on this server. Ask your administrator to add a messenger bot.",
    localTitle: "Local login",
    localLead: "Choose an account:",
    localAs: (name: string) => `Continue as ${name}`,
    localAdmin: "Local administrator",
    localReader: "Local reader",
    localCode: "Login code",
    localCodeHint: "Printed in the terminal when Codeshelf starts.",
    localKnown: "This browser is remembered and needs no code.",
    localForget: "Forget this browser",
    localElsewhere:
      "You can only log in on the computer that runs Codeshelf, at the address it prints when it starts.",
  },
  logout: {
    title: "Log out?",
    lead: "Another site sent you here.",
    confirm: "Log out",
  },
  search,
  reading,
  settings,
  imports,
  credentials,
  signIn,
  feeds,
  offline,
  busy: {
    title: "Codeshelf is busy",
    lead: "Too many people are using it right now. Try again in a moment.",
    again: "Try again",
    notSaved: "Your changes were not saved. Go back and send them again.",
  },
  keys,
  help,
  apiDocs: {
    title: "API",
    lead: "All endpoints of the JSON API.",
    authenticate: "Authenticate",
    authenticateHint:
      "Create a token and send it with every request. A read token allows GET and HEAD only. A token that is not valid gets 401; only /api/me answers 200 with authenticated: false.",
    write: "Save without overwriting",
    writeHint:
      "PUT creates missing folders and takes up to 2 MiB of UTF-8 text. Every file has an ETag: send it as If-Match, and the file is saved only if nobody changed it. If-None-Match: * saves it only if it is new. Otherwise the answer is 412.",
    inEnglish: "Descriptions are in English.",
    tokens: "Create token",
    nouns: "Sections",
    access: {
      public: "Public",
      user: "Token, or session in the browser",
      admin: "Administrators only, with a session in the browser. Tokens cannot call this.",
    },
    groups: {
      Files: "Files",
      Folders: "Folders",
      Search: "Search",
      Notes: "Notes",
      Reminders: "Reminders and notifications",
      Links: "Links",
      Mirrors: "Mirrors",
      Code: "Running code and code tools",
      Account: "Account",
      Administration: "Administration",
      Reference: "API document",
    },
    parameters: "Parameters",
    field: (required: boolean, place?: "path" | "query" | "header") =>
      [
        place && { path: "in the path", query: "in the query", header: "header" }[place],
        required ? "required" : "optional",
      ]
        .filter(Boolean)
        .join(", "),
    body: "Body",
    answer: (status: string) => `Answer ${status}`,
    answered: (always: boolean): string => (always ? "" : "not always there"),
    noContent: "No content",
    shapes: "Objects in answers",
    errors: "Errors",
    errorsHint: "Every error is JSON with error, code and often message. Any call may answer these:",
  },
  tokens,
  dashboard,
  files,
  file,
  viewers,
  upload,
  finding,
  versions,
  drafts,
  dropped,
  editor,
  fileActions,
  folders,
  gists,
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
    loggedIn: "Logged in",
    loggedOut: "Logged out",
    logOutAt: (provider: string) => `Also log out of ${isolate(provider)}`,
    loggedOutEverywhere: "Logged out everywhere. Tokens, feeds and notifications are off too.",
  },
  sessionEnded: {
    title: "You were logged out",
    explanation: "Your text is still here. Log in from a new tab, then send it again.",
    nothingTyped: "Log in from a new tab, then send again.",
    filesLost: (count: number): string =>
      count === 1 ? "Choose the file again." : "Choose the files again.",
    typed: "Your text",
    logIn: "Log in (new tab)",
    sendAgain: "Send again",
  },
  errors: {
    title: (status: number) => `Error ${status}`,
    heading: "Something went wrong",
    internal: "Try again. If it keeps happening, send the request ID to an administrator.",
    lockedHeading: "Account locked",
    trashedHeading: "This file is in the trash",
    headings: {
      401: "Log in",
      403: "Not allowed",
      404: "Not found",
      413: "Too large",
      429: "Slow down",
      503: "Temporarily unavailable",
    } as Record<number, string>,
    requestId: "Request ID",
    backHome: "Home",
    tryAgain: "Try again",
    tryIn: (seconds: number) => `Try again in ${seconds} s.`,
    sendAgain: "Your changes may not be saved. Go back in your browser and send them again.",
  },
  refusals,
};

export type Dictionary = typeof en;

import type { Dictionary } from "#app/i18n/en.ts";
import { credentials } from "#app/i18n/he/credentials.ts";
import { devices } from "#app/i18n/he/devices.ts";
import { explain } from "#app/i18n/he/explain.ts";
import { feeds } from "#app/i18n/he/feeds.ts";
import { fileActions } from "#app/i18n/he/file-actions.ts";
import { folders } from "#app/i18n/he/folders.ts";
import { gists } from "#app/i18n/he/gists.ts";
import { help } from "#app/i18n/he/help.ts";
import { imports } from "#app/i18n/he/imports.ts";
import { jobs } from "#app/i18n/he/jobs.ts";
import { keys } from "#app/i18n/he/keys.ts";
import { dashboard, file, files, finding, viewers } from "#app/i18n/he/library.ts";
import { boards, notes } from "#app/i18n/he/notes.ts";
import { observability } from "#app/i18n/he/observability.ts";
import { offline } from "#app/i18n/he/offline.ts";
import { operators } from "#app/i18n/he/operators.ts";
import { announcements, greetings, people } from "#app/i18n/he/people.ts";
import { reading } from "#app/i18n/he/reading.ts";
import { refusals } from "#app/i18n/he/refusals.ts";
import { reminders } from "#app/i18n/he/reminders.ts";
import { repos } from "#app/i18n/he/repos.ts";
import { runs } from "#app/i18n/he/runs.ts";
import { drafts, dropped, editor, upload } from "#app/i18n/he/saving.ts";
import { search } from "#app/i18n/he/search.ts";
import { settings } from "#app/i18n/he/settings.ts";
import { shares } from "#app/i18n/he/shares.ts";
import { signIn } from "#app/i18n/he/sign-in.ts";
import { tokens } from "#app/i18n/he/tokens.ts";
import { tools } from "#app/i18n/he/tools.ts";
import { versions } from "#app/i18n/he/versions.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const he = {
  product: "Codeshelf",
  tagline: "ספרייה אישית לקובצי קוד.",
  skipToContent: "דילוג לתוכן",
  nav: {
    main: "ראשי",
    menu: "תפריט",
    account: "החשבון שלכם",
    display: "ערכת צבעים ושפה",
    files: "כל הקבצים",
    recent: "נפתחו לאחרונה",
    favorites: "מועדפים",
    pinned: "נעוצים",
    trash: "אשפה",
    notes: "פתקים",
    boards: "לוחות",
    shares: "קישורים",
    repos: "מאגרים",
    upload: "חדש",
    dashboard: "לוח הבקרה",
    jobs: "משימות",
    settings: "הגדרות",
    devices: "התראות",
    codeTools: "כלי קוד",
    announcements: "הודעות",
    people: "אנשים",
    login: "כניסה",
    logout: "יציאה",
    logoutEverywhere: "יציאה מכל המכשירים",
    language: "שפה",
    theme: "ערכת צבעים",
    themes: { system: "לפי המערכת", light: "בהירה", dark: "כהה", contrast: "ניגודיות גבוהה" },
  },
  roles: { regular: "חשבון רגיל", premium: "חשבון פרימיום", admin: "מנהל מערכת" },
  home: {
    title: "כל הקוד שלכם במקום אחד",
    lead: "שמירה של סקריפטים, קטעי קוד ופתקים, עם חיפוש, הערות ושיתוף.",
    start: "בואו נתחיל",
    open: "הצגת הקבצים",
    picture: "קובץ Python פתוח ב־Codeshelf: השם, התגיות והקוד הצבוע, ובו שלוש שורות מסומנות ולצידן פתקים.",
    scenes: {
      find: {
        title: "מוצאים בשלוש אותיות",
        lead: "חיפוש אחד בשמות קבצים, בקוד, בפתקים ובמאגרים.",
        picture: "תיבת החיפוש עם ret, וההצעה הראשונה היא retry.py.",
      },
      run: {
        title: "מריצים במקום",
        lead: "Python, ‏JavaScript ו־TypeScript רצות בארגז חול, עם קלט ופלט חי. מנהל המערכת קובע מי יכול להריץ קוד.",
        picture: "תוכנית Python והפלט שלה לצידה.",
      },
      remind: {
        title: "מקבלים תזכורת",
        lead: "קובעים שעה לפתק או לקובץ, והודעה מגיעה בזמן.",
        picture: "קביעת תזכורת: על כל כפתור כתובה השעה שהוא קובע.",
      },
      share: {
        title: "משתפים בקישור",
        lead: "קובץ, כמה שורות ממנו או תיקייה שלמה, לזמן שתבחרו.",
        picture: "קובץ Markdown משותף, כפי שמבקרים רואים אותו.",
      },
    },
  },
  login: {
    title: "כניסה",
    lead: "כניסה דרך חשבון המסנג׳ר. לא צריך סיסמה.",
    widget: "כניסה דרך המסנג׳ר",
    widgetNeedsScript: "יש להפעיל JavaScript כדי להיכנס דרך המסנג׳ר.",
    notConfigured: "הכניסה אינה מוגדרת בשרת הזה. על מנהל המערכת להוסיף בוט של המסנג׳ר.",
    localTitle: "כניסה מקומית",
    localLead: "בחרו חשבון:",
    localAs: (name: string) => `המשך בתור ${name}`,
    localAdmin: "מנהל מקומי",
    localReader: "קורא מקומי",
    localCode: "קוד כניסה",
    localCodeHint: "מודפס במסוף כש־Codeshelf עולה.",
    localKnown: "הדפדפן הזה מוכר ואין צורך בקוד.",
    localForget: "לשכוח את הדפדפן הזה",
    localElsewhere: "אפשר להיכנס רק במחשב שמריץ את Codeshelf, בכתובת שמודפסת כשהוא עולה.",
  },
  logout: {
    title: "לצאת?",
    lead: "אתר אחר הפנה אתכם לכאן.",
    confirm: "יציאה",
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
    title: "יש עומס ב־Codeshelf",
    lead: "יותר מדי אנשים משתמשים בו כרגע. נסו שוב בעוד רגע.",
    again: "ניסיון נוסף",
    notSaved: "השינויים לא נשמרו. חזרו אחורה ושלחו שוב.",
  },
  keys,
  help,
  apiDocs: {
    title: "ממשק API",
    lead: "כל נקודות הקצה של ה־JSON API.",
    authenticate: "אימות",
    authenticateHint:
      "צרו אסימון ושלחו אותו עם כל בקשה. אסימון לקריאה מאפשר GET ו־HEAD בלבד. אסימון שאינו תקף מקבל 401; רק \u2066/api/me\u2069 עונה 200 עם \u2066authenticated: false\u2069.",
    write: "שמירה בלי לדרוס",
    writeHint:
      "PUT יוצר תיקיות חסרות ומקבל עד 2 MiB של טקסט UTF-8. לכל קובץ יש ETag: שלחו אותו ב־If-Match, והקובץ יישמר רק אם איש לא שינה אותו. ⁦If-None-Match: *⁩ שומר רק קובץ חדש. אחרת התשובה היא 412.",
    inEnglish: "התיאורים באנגלית.",
    tokens: "יצירת אסימון",
    nouns: "חלקים",
    access: {
      public: "ציבורי",
      user: "אסימון, או התחברות בדפדפן",
      admin: "מנהלים בלבד, בהתחברות בדפדפן. אי אפשר לקרוא לזה עם אסימון.",
    },
    groups: {
      Files: "קבצים",
      Folders: "תיקיות",
      Search: "חיפוש",
      Notes: "פתקים",
      Reminders: "תזכורות והתראות",
      Links: "קישורים",
      Mirrors: "מאגרים",
      Code: "הרצת קוד וכלי קוד",
      Account: "חשבון",
      Administration: "ניהול",
      Reference: "מסמך ה־API",
    },
    parameters: "פרמטרים",
    field: (required: boolean, place?: "path" | "query" | "header") =>
      [place && { path: "בנתיב", query: "בשאילתה", header: "כותרת" }[place], required ? "חובה" : "רשות"]
        .filter(Boolean)
        .join(", "),
    body: "גוף הבקשה",
    answer: (status: string) => `תשובה ${status}`,
    answered: (always: boolean): string => (always ? "" : "לא תמיד קיים"),
    noContent: "בלי תוכן",
    shapes: "אובייקטים בתשובות",
    errors: "שגיאות",
    errorsHint: "כל שגיאה היא JSON עם error, ‏code ולרוב message. כל קריאה עשויה לענות באלה:",
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
    loggedIn: "נכנסתם",
    loggedOut: "יצאתם",
    logOutAt: (provider: string) => `יציאה גם מ־${isolate(provider)}`,
    loggedOutEverywhere: "יצאתם מכל המכשירים. גם האסימונים, כתובות היומן וההתראות בוטלו.",
  },
  sessionEnded: {
    title: "החיבור שלכם הסתיים",
    explanation: "הטקסט שלכם עדיין כאן. היכנסו בלשונית חדשה ושלחו שוב.",
    nothingTyped: "היכנסו בלשונית חדשה ושלחו שוב.",
    filesLost: (count: number): string =>
      count === 1 ? "יש לבחור שוב את הקובץ." : "יש לבחור שוב את הקבצים.",
    typed: "הטקסט שלכם",
    logIn: "כניסה בלשונית חדשה",
    sendAgain: "שליחה חוזרת",
  },
  errors: {
    title: (status: number) => `שגיאה ${status}`,
    heading: "משהו השתבש",
    internal: "נסו שוב. אם זה חוזר, מסרו את מזהה הבקשה למנהל המערכת.",
    lockedHeading: "החשבון נעול",
    trashedHeading: "הקובץ באשפה",
    headings: {
      401: "נדרשת כניסה",
      403: "אין הרשאה",
      404: "לא נמצא",
      413: "גדול מדי",
      429: "קצת יותר לאט",
      503: "לא זמין כרגע",
    },
    requestId: "מזהה הבקשה",
    backHome: "לדף הבית",
    tryAgain: "ניסיון נוסף",
    tryIn: (seconds: number) => `אפשר לנסות שוב בעוד ${seconds} שנ׳.`,
    sendAgain: "ייתכן שהשינויים לא נשמרו. חזרו אחורה בדפדפן ושלחו שוב.",
  },
  refusals,
} satisfies Dictionary;

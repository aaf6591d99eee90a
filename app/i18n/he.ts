import type { Dictionary } from "#app/i18n/en.ts";
import { care } from "#app/i18n/he/care.ts";
import { credentials } from "#app/i18n/he/credentials.ts";
import { devices } from "#app/i18n/he/devices.ts";
import { explain } from "#app/i18n/he/explain.ts";
import { feeds } from "#app/i18n/he/feeds.ts";
import { imports } from "#app/i18n/he/imports.ts";
import { jobs } from "#app/i18n/he/jobs.ts";
import { keys } from "#app/i18n/he/keys.ts";
import { dashboard, file, files, finding, viewers } from "#app/i18n/he/library.ts";
import { boards, notes } from "#app/i18n/he/notes.ts";
import { observability } from "#app/i18n/he/observability.ts";
import { offline } from "#app/i18n/he/offline.ts";
import { operators } from "#app/i18n/he/operators.ts";
import { announcements, greetings, people } from "#app/i18n/he/people.ts";
import { refusals } from "#app/i18n/he/refusals.ts";
import { reminders } from "#app/i18n/he/reminders.ts";
import { repos } from "#app/i18n/he/repos.ts";
import { runs } from "#app/i18n/he/runs.ts";
import { dropped, editor, upload } from "#app/i18n/he/saving.ts";
import { settings } from "#app/i18n/he/settings.ts";
import { shares } from "#app/i18n/he/shares.ts";
import { tokens } from "#app/i18n/he/tokens.ts";
import { tools } from "#app/i18n/he/tools.ts";
import { versions } from "#app/i18n/he/versions.ts";

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
    bin: "סל המיחזור",
    notes: "פתקים",
    boards: "לוחות",
    shares: "שיתופים",
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
    title: "כל הקוד שלכם על מדף אחד",
    lead: "שמרו את הסקריפטים, קטעי הקוד והפתקים שאליהם אתם חוזרים. חפשו, קראו, הוסיפו הערות ושתפו.",
    start: "כניסה",
    open: "לקבצים שלכם",
    picture: "קובץ Python פתוח ב־Codeshelf: השם, התגיות והקוד הצבוע, ובו שלוש שורות מסומנות ולצידן פתקים.",
  },
  login: {
    title: "כניסה",
    lead: "הכניסה היא דרך חשבון המסנג׳ר. שום סיסמה לא נשמרת כאן.",
    widget: "כניסה דרך המסנג׳ר",
    widgetNeedsScript: "הכפתור של המסנג׳ר זקוק ל־JavaScript. אפשרו אותו בדף הזה כדי להיכנס.",
    notConfigured: "הכניסה עדיין לא הוגדרה בשרת הזה: לא הוגדר לו בוט.",
    localTitle: "כניסה מקומית",
    localLead: "העותק הזה רץ על המחשב שלו, בלי בוט. בחרו בתור מי להיכנס:",
    localAs: (name: string) => `המשך בתור ${name}`,
    localAdmin: "מנהל מקומי",
    localReader: "קורא מקומי",
    localCode: "קוד כניסה",
    localCodeHint: "הקוד מודפס ליד הכתובת כאשר Codeshelf עולה. הדפדפן הזה נשאל פעם אחת.",
    localElsewhere: "העותק הזה מכניס רק את מי שפותח אותו על המחשב שלו, בכתובת שהוא מדפיס כשהוא עולה.",
  },
  logout: {
    title: "לצאת?",
    lead: "אתר אחר הוביל אתכם לכאן. אתם נשארים מחוברים עד שתבחרו אחרת.",
    confirm: "יציאה",
  },
  settings,
  imports,
  credentials,
  feeds,
  offline,
  busy: {
    title: "יותר מדי אנשים בבת אחת",
    lead: "Codeshelf עמוס כרגע ולא הספיק לענות לכם. בעוד רגע יהיה טוב יותר.",
    again: "לנסות שוב",
    notSaved: "מה ששלחתם לא נשמר. חזרו אחורה, שם הוא עדיין נמצא, ושלחו שוב.",
  },
  keys,
  apiDocs: {
    title: "ה־API של JSON",
    lead: "כל הכתובות, מתוך הטבלה שעונה להן.",
    inEnglish: "התיאורים שלהן כתובים באנגלית, כמו במפרט OpenAPI עצמו.",
    tokens: "יצירת אסימון גישה",
    nouns: "חלקי ה־API",
    access: {
      public: "פתוח לכולם.",
      user: "למי שמחובר, או שולח אסימון.",
      admin: "למנהלים מחוברים.",
    },
    parameter: (place: string, required: boolean) =>
      `${place === "path" ? "בנתיב" : "בשאילתה"}${required ? "" : ", רשות"}`,
    body: "גוף הבקשה",
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
    loggedIn: "נכנסתם למערכת.",
    loggedOut: "יצאתם מהמערכת.",
    loggedOutEverywhere: "יצאתם מהמערכת בכל המכשירים. גם האסימונים, כתובות הערוצים וההתראות בוטלו.",
  },
  sessionEnded: {
    title: "החיבור שלכם הסתיים",
    explanation: "שום דבר לא אבד: מה שכתבתם נמצא כאן. היכנסו בלשונית חדשה, חזרו לכאן ושלחו שוב.",
    filesLost: (count: number): string =>
      count === 1 ? "את הקובץ שבחרתם צריך לבחור שוב." : "את הקבצים שבחרתם צריך לבחור שוב.",
    typed: "מה שכתבתם",
    logIn: "כניסה בלשונית חדשה",
    sendAgain: "שליחה חוזרת",
  },
  errors: {
    title: (status: number) => `שגיאה ${status}`,
    heading: "זה לא הצליח",
    lockedHeading: "החשבון הזה נעול",
    headings: {
      401: "צריך להיכנס",
      403: "אין הרשאה",
      404: "אין כאן כלום",
      413: "גדול מדי",
      429: "רגע אחד",
      500: "משהו נשבר",
      503: "נחזור בעוד רגע",
    },
    requestId: "מזהה הבקשה",
    backHome: "חזרה להתחלה",
    tryAgain: "ניסיון נוסף",
  },
  refusals,
} satisfies Dictionary;

import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/people.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const greetings: typeof english.greetings = {
  announcement: "הודעה",
  dismiss: "הסתרת ההודעה",
  welcome: "ברוכים הבאים ל־Codeshelf",
  begin: "סגירה",
  searchKey: "המקש / פותח אותו.",
  tour: {
    keep: { title: "שמירה", words: "העלו קבצים או הדביקו קוד בעזרת ״חדש״. כל הגרסאות נשמרות." },
    find: { title: "חיפוש", words: "חיפוש בשמות, בתגיות ובקוד." },
    annotate: { title: "הערות", words: "מסמנים שורות, מוסיפים פתק וקובעים לו תזכורת." },
    tools: { title: "הרצה ושיתוף", words: "מריצים קוד בעמוד שלו ומשתפים בקישור." },
    share: { title: "שיתוף", words: "משתפים קובץ, כמה שורות ממנו או תיקייה בקישור." },
  },
};

export const announcements: typeof english.announcements = {
  title: "הודעות",
  lead: "כולם רואים את ההודעה הפעילה עד שהם מסתירים אותה. רק אחת יכולה להיות פעילה.",
  list: "כל ההודעות",
  none: "אין עדיין הודעות",
  noneYet: "הוסיפו הודעה למעלה והפעילו אותה.",
  text: "טקסט",
  textHint: "שורה אחת, עד 280 תווים.",
  link: "קישור",
  linkHint: "רשות; נתיב באתר, למשל \u2066/files\u2069.",
  create: "הוספת הודעה",
  save: "שמירה",
  edit: "עריכה",
  active: "פעילה",
  activate: "הפעלה",
  deactivate: "השבתה",
  remove: "מחיקה",
  removeSure: "מחיקת ההודעה",
};

export const people: typeof english.people = {
  title: "אנשים",
  accounts: "חשבונות",
  byId: "מזהה משתמש",
  nameOrId: "שם או מזהה משתמש",
  find: "חיפוש",
  all: "הצגת כולם",
  none: "לא נמצא משתמש",
  you: "(אתם)",
  lastSeen: "נראה לאחרונה",
  sessions: (count: number) =>
    count === 0 ? "אין התחברויות" : count === 1 ? "התחברות אחת" : `${amount(count)} התחברויות`,
  appointed: "נקבע בהגדרות השרת",
  roleLabel: (name: string) => `התפקיד של ${isolate(name)}`,
  setRole: "קביעת תפקיד",
  rights: {
    regular: "שמירה, חיפוש ושיתוף של קבצים. ללא הרצת קוד.",
    premium: "גם הרצת קוד.",
    admin: "גם הרצת קוד וניהול השרת.",
  },
  revoke: "ביטול כל הגישה",
  revokeHint: "מבטל את כל ההתחברויות, האסימונים, כתובות היומן והמכשירים.",
  locked: "נעול",
  lock: "נעילה",
  lockHint: "חוסם את החשבון ואת הקישורים שלו עד לפתיחה. דבר לא נמחק.",
  lockSure: "נעילת החשבון",
  unlock: "פתיחה",
  actionLabel: (verb: string, name: string) => `${verb}: ${isolate(name)}`,
  signUp: {
    open: "כל מי שיכול להיכנס מקבל חשבון. כדי לצרף רק מוזמנים, הגדירו SIGN_UP=invited.",
    closed: "חשבונות חדשים לא נפתחים. כדי להזמין אנשים, הגדירו SIGN_UP=invited.",
  },
  invitations: {
    title: "הזמנות",
    create: "הזמנה חדשה",
    lead: (days: number) => `אנשים חדשים צריכים הזמנה. כל קישור פועל פעם אחת ותקף ${amount(days)} ימים.`,
    once: "שלחו את הקישור למי שהזמנתם. הוא לא יוצג שוב.",
    link: "קישור ההזמנה",
    until: "עוד לא נוצלה; בתוקף עד",
    remove: "הסרה",
  },
  joinRequests: { title: "בקשות להצטרף", approve: "אישור", decline: "דחייה" },
  done: {
    approve: "אושר. עכשיו אפשר להיכנס.",
    decline: "הבקשה נדחתה",
    uninvite: "ההזמנה הוסרה",
    role: "התפקיד עודכן",
    revoke: "כל הגישה בוטלה",
    lock: "החשבון ננעל",
    unlock: "החשבון נפתח",
  },
};

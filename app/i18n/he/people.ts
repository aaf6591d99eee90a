import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/people.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const greetings: typeof english.greetings = {
  announcement: "הודעה",
  dismiss: "הסתרת ההודעה",
  welcome: "ברוכים הבאים למדף שלכם",
  begin: "הבנתי, אפשר להתחיל",
  tour: {
    keep: {
      title: "לשמור",
      words: "הכפתור ״חדש״ מקבל קבצים וקטעי קוד מודבקים. שמירה חוזרת באותו שם משאירה כל גרסה קודמת.",
    },
    find: { title: "למצוא", words: "תיבה אחת מחפשת בשמות, בתגיות ובכל שורה ששמרתם. המקש / מביא אליה." },
    annotate: {
      title: "לחזור",
      words: "סמנו בכוכב, נעצו, תייגו ותארו את מה שחוזרים אליו; קבצים שנמחקו ממתינים 30 יום.",
    },
    tools: { title: "לעבוד", words: "עיצוב ובדיקה של קוד בלי לעזוב את הדף." },
  },
};

export const announcements: typeof english.announcements = {
  title: "הודעות",
  lead: "ההודעה הפעילה מופיעה מתחת לסרגל בכל הדפים של כולם, עד שמסתירים אותה. יש לכל היותר אחת.",
  list: "כל ההודעות",
  none: "עוד אין הודעות",
  noneYet: "כתבו הודעה למעלה; היא תיראה כשתפעילו אותה.",
  text: "טקסט",
  textHint: "שורה אחת, עד 280 תווים.",
  link: "קישור",
  linkHint: "נתיב באתר הזה, למשל \u2066/files\u2069, או כלום.",
  create: "הוספה",
  save: "שמירה",
  edit: "עריכה",
  active: "פעילה",
  activate: "הפעלה",
  deactivate: "השבתה",
  remove: "מחיקה",
};

export const people: typeof english.people = {
  title: "אנשים",
  byId: "מזהה במסנג׳ר",
  find: "חיפוש",
  all: "הצגת כולם",
  none: "אין אדם עם המזהה הזה",
  you: "(אתם)",
  lastSeen: "נראו לאחרונה",
  sessions: (count: number) =>
    count === 0 ? "לא מחוברים" : count === 1 ? "חיבור פעיל אחד" : `${amount(count)} חיבורים פעילים`,
  appointed: "נקבע בהגדרות השרת",
  roleOf: (name: string) => `התפקיד של ${isolate(name)}`,
  setRole: "קביעת תפקיד",
  revoke: "ביטול כל הגישה",
  revokeHint: "מבטל כל התחברות, אסימון, ערוץ ומכשיר.",
  locked: "נעול",
  lock: "נעילה",
  lockHint: "אי אפשר להשתמש בחשבון ובשיתופים שלו עד שתפתחו אותו. דבר לא נמחק.",
  lockSure: "נעילת החשבון",
  unlock: "פתיחה",
  actionOf: (verb: string, name: string) => `${verb}: ${isolate(name)}`,
  done: {
    role: "התפקיד נקבע.",
    revoke: "כל הגישה בוטלה.",
    lock: "החשבון ננעל.",
    unlock: "החשבון נפתח.",
  },
};

import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/file-actions.ts";
import { counted } from "#app/i18n/he/counted.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

export const fileActions: typeof english.fileActions = {
  files: counted("קובץ אחד", "קבצים"),
  languages: "שפות",
  moreLanguages: (count: number) => (count === 1 ? "ועוד אחת" : `ועוד ${amount(count)}`),
  activityTitle: "פעילות",
  activity: (files: number) => `${files === 1 ? "קובץ חדש אחד" : `${amount(files)} קבצים חדשים`} ב־6 חודשים`,
  storage: "אחסון",
  used: (used: string, max: string) => `${used} מתוך ${max} בשימוש`,
  usedWhat: "כולל גרסאות קודמות, אשפה, פתקים ופלטים שמורים.",
  newestVersions: (size: string) => `${size} בגרסאות העדכניות`,
  usedNearly: "כמעט מלא: ריקון האשפה",
  inTrash: (count: number) => `${amount(count)} באשפה`,
  sample: "הוספת קבצים לדוגמה",
  star: (name: string) => `הוספת ${isolateLtr(name)} למועדפים`,
  unstar: (name: string) => `הסרת ${isolateLtr(name)} מהמועדפים`,
  pin: (name: string) => `נעיצת ${isolateLtr(name)}`,
  unpin: (name: string) => `ביטול הנעיצה של ${isolateLtr(name)}`,
  starShort: "מועדף",
  pinShort: "נעיצה",
  trash: "מחיקה",
  more: "פעולות נוספות",
  remind: "תזכורת",
  duplicate: "שכפול",
  undo: "ביטול",
  favorites: "מועדפים",
  pinned: "נעוצים",
  trashTitle: "אשפה",
  choose: (name: string) => `בחירת ${isolateLtr(name)}`,
  chosen: "פעולות על הקבצים שנבחרו",
  every: (max: number) => `כל הרשימה במקום זה (${amount(max)} הקבצים הראשונים)`,
  chosenCount: "נבחרו:",
  favor: "הוספה למועדפים",
  unfavor: "הסרה מהמועדפים",
  tag: "הוספת תגיות",
  tagsToAdd: "תגיות להוספה",
  zip: "הורדה כ־zip",
  remove: "מחיקה",
  details: "פרטים",
  saveDetails: "שמירת הפרטים",
  trashLead: "קבצים נמחקים לצמיתות אחרי 30 יום.",
  trashEmptyTitle: "האשפה ריקה",
  trashEmpty: "קבצים שנמחקו נשארים כאן 30 יום.",
  trashBroken: "קבצים שפג תוקפם אינם נמחקים כרגע. אפשר למחוק אותם ידנית.",
  deletedAt: "הועבר לאשפה",
  goesAt: "יימחק לצמיתות",
  goesNever: "אין תאריך",
  restore: "שחזור",
  purge: "מחיקה עכשיו",
  purgeSure: "מחיקה לצמיתות",
  emptyTrash: "ריקון האשפה",
  emptySure: (count: number) =>
    count === 0
      ? "מחיקת התיקיות לצמיתות"
      : count === 1
        ? "מחיקת קובץ אחד לצמיתות"
        : `מחיקת ${amount(count)} קבצים לצמיתות`,
  trashed: (count: number, name?: string) =>
    count === 1 ? `${name ? isolateLtr(name) : "הקובץ"} הועבר לאשפה` : `${amount(count)} קבצים הועברו לאשפה`,
  done: {
    restored: (count: number, name?: string) =>
      count === 1 && name ? `${isolateLtr(name)} שוחזר` : `${amount(count)} קבצים שוחזרו`,
    purged: () => "נמחק לצמיתות",
    emptied: counted("קובץ אחד נמחק לצמיתות", "קבצים נמחקו לצמיתות"),
    favored: counted("נוסף למועדפים", "קבצים נוספו למועדפים"),
    unfavored: counted("הוסר מהמועדפים", "קבצים הוסרו מהמועדפים"),
    tagged: counted("קובץ אחד תויג", "קבצים תויגו"),
    pinned: () => "הקובץ ננעץ",
    unpinned: () => "הנעיצה בוטלה",
    described: () => "הפרטים נשמרו",
    moved_back: counted("הקובץ הוחזר למקומו", "קבצים הוחזרו למקומם"),
    sampled: (count: number) => `נוספו ${amount(count)} קבצים לדוגמה`,
  },
};

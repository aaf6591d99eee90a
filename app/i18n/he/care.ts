import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/care.ts";
import { counted } from "#app/i18n/he/counted.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

export const care: typeof english.care = {
  files: counted("קובץ אחד", "קבצים"),
  languages: "שפות",
  moreLanguages: (count: number) => (count === 1 ? "ועוד אחת" : `ועוד ${amount(count)}`),
  activityTitle: "פעילות",
  activity: (files: number, days: number) =>
    `בחצי השנה האחרונה ${files === 1 ? "נשמר קובץ חדש אחד" : `נשמרו ${amount(files)} קבצים חדשים`}, ${days === 1 ? "ביום אחד" : `ב־${days} ימים`}.`,
  storage: "אחסון",
  used: (used: string, max: string) => `${used} מתוך ${max} בשימוש`,
  usedWhat: "כולל כל הגרסאות, סל המיחזור, הפתקים והפלטים השמורים.",
  usedNearly: "כמעט מלא: ריקון סל המיחזור",
  inBin: (count: number) => `${amount(count)} בסל המיחזור`,
  sample: "להתחיל עם ספרייה לדוגמה",
  star: (name: string) => `הוספת ${isolateLtr(name)} למועדפים`,
  unstar: (name: string) => `הסרת ${isolateLtr(name)} מהמועדפים`,
  pin: (name: string) => `נעיצת ${isolateLtr(name)}`,
  unpin: (name: string) => `ביטול הנעיצה של ${isolateLtr(name)}`,
  starShort: "מועדף",
  pinShort: "נעיצה",
  trash: "מחיקה",
  undo: "ביטול",
  favorites: "מועדפים",
  pinned: "נעוצים",
  bin: "סל המיחזור",
  choose: (name: string) => `בחירת ${isolateLtr(name)}`,
  chosen: "עם הקבצים שנבחרו",
  chosenCount: "נבחרו:",
  favor: "הוספה למועדפים",
  unfavor: "הסרה מהמועדפים",
  tag: "הוספת תגיות",
  tagsToAdd: "תגיות להוספה",
  zip: "הורדה כ־zip",
  remove: "מחיקה",
  details: "עריכת פרטים",
  saveDetails: "שמירת הפרטים",
  binLead: "קבצים שנמחקו נשארים כאן עד התאריך שלהם, ואז נמחקים לצמיתות.",
  binEmptyTitle: "סל המיחזור ריק",
  binEmpty: "קבצים שנמחקו ממתינים כאן 30 יום, למקרה שתרצו אותם בחזרה.",
  binBroken: "כרגע קבצים אינם נמחקים בתאריך שלהם. קבצים שתאריכם עבר עדיין כאן; אפשר למחוק אותם ידנית.",
  deletedAt: "נמחק",
  goesAt: "יימחק לצמיתות",
  goesNever: "עדיין בלי תאריך",
  restore: "שחזור",
  purge: "מחיקה עכשיו",
  purgeSure: "מחיקה לצמיתות",
  emptyBin: "ריקון הסל",
  emptySure: (count: number) =>
    count === 1 ? "מחיקת קובץ אחד לצמיתות" : `מחיקת ${amount(count)} קבצים לצמיתות`,
  binned: (count: number, name?: string) =>
    count === 1
      ? `${name ? isolateLtr(name) : "הקובץ"} הועבר לסל המיחזור`
      : `${amount(count)} קבצים הועברו לסל המיחזור`,
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
    sampled: (count: number) => `הנה ספרייה לדוגמה עם ${amount(count)} קבצים`,
  },
};

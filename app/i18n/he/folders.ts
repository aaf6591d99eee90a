import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/folders.ts";
import { counted } from "#app/i18n/he/counted.ts";
import { isolate, isolateLtr } from "#app/i18n/isolate.ts";

const files = counted("קובץ אחד", "קבצים");

export const folders: typeof english.folders = {
  title: "תיקיות",
  folder: "תיקייה",
  files,
  folders: counted("תיקייה אחת", "תיקיות"),
  where: "נתיב התיקייה",
  allFiles: "כל הקבצים",
  noFolder: "ללא תיקייה",
  more: (count: number) => `עוד ${amount(count)}`,
  pages: "עמודים",
  shownOf: (from: number, to: number, total: number) =>
    `תיקיות ${isolateLtr(`${amount(from)}–${amount(to)}`)} מתוך ${amount(total)}`,
  newFile: "קובץ חדש כאן",
  newFolder: "תיקייה חדשה",
  newFolderChoice: "תיקייה חדשה…",
  newName: "שם התיקייה החדשה",
  name: "שם התיקייה",
  create: "יצירת תיקייה",
  edit: "שינוי שם או העברה",
  parent: "בתוך תיקייה",
  save: "שמירה",
  zip: "הורדה כ־zip",
  share: "שיתוף",
  shareHint: "לקישור לתיקייה אין מגבלת צפיות.",
  secretsLeftOut: "ייתכן שיש סודות בקבצים האלה, ולכן הם לא ישותפו:",
  shareSecrets: "לשתף גם אותם",
  shareModes: { now: "הקבצים כפי שהם עכשיו", follow: "תמיד הקבצים העדכניים" },
  sharedFolder: "תיקייה",
  followed: "תמיד עדכני",
  shareSuspended: "לא זמין: התיקייה ריקה או באשפה.",
  remove: "מחיקה",
  moveTo: "העברה לתיקייה",
  choose: "בחירת תיקייה",
  pathHint: "הקלידו נתיב, למשל \u2066lib/parsers\u2069. ללא תיקייה אם נשאר ריק.",
  move: "העברה",
  moveHere: (path: string) => `העברה אל ${isolate(path)}`,
  emptyTitle: "התיקייה ריקה",
  empty: "שמרו כאן קובץ, או בחרו קבצים ברשימה והעבירו אותם לכאן.",
  emptyNested: "בתיקייה הזאת יש רק תיקיות. פתחו אחת מהן, או שמרו כאן קובץ.",
  openReadme: "פתיחת הקובץ",
  trashed: (name: string, count: number) =>
    count === 0
      ? `התיקייה ${isolate(name)} הועברה לאשפה`
      : `התיקייה ${isolate(name)} הועברה לאשפה עם ${files(count)} בסך הכול`,
  inTrash: (count: number) => (count === 0 ? "תיקייה ריקה" : files(count)),
  restore: "שחזור התיקייה",
  done: {
    created: (name: string) => `נוצרה התיקייה ${isolate(name)}`,
    saved: (name: string) => `התיקייה ${isolate(name)} נשמרה`,
    restored: (name: string, count: number) =>
      count === 0
        ? `התיקייה ${isolate(name)} שוחזרה`
        : `התיקייה ${isolate(name)} שוחזרה עם ${files(count)} בסך הכול`,
  },
  movedTo: (count: number, name: string | undefined) =>
    name === undefined
      ? count === 1
        ? "קובץ אחד הוצא מהתיקייה"
        : `${amount(count)} קבצים הוצאו מהתיקיות`
      : count === 1
        ? `קובץ אחד הועבר אל ${isolate(name)}`
        : `${amount(count)} קבצים הועברו אל ${isolate(name)}`,
  upload: {
    choose: "העלאת תיקייה",
    title: "העלאת תיקייה",
    stop: "עצירה",
    undo: "ביטול",
    close: "סגירה",
    show: "הצגת הקבצים",
    words: {
      reading: "התיקייה נקראת…",
      progress: "{done} מתוך {all} קבצים",
      waiting: "המתנה קצרה: יותר מדי העלאות בבת אחת",
      none: "אין בתיקייה קבצים להעלאה.",
      tooMany: "יותר מ־{max} קבצים. העלו תיקייה קטנה יותר.",
      created: "חדשים: {count}",
      updated: "גרסאות חדשות: {count}",
      unchanged: "ללא שינוי: {count}",
      skipped: "דולגו: {count} ({names})",
      secrets: "לא הועלו כי ייתכן שיש בהם סודות: {count}. אפשר להעלות כל אחד מהם לבד.",
      refused: "לא הועלו: {count}",
      moreFiles: "ועוד {count}",
      stopped: "נעצר. מה שהועלה נשמר.",
      unsent: "השליחה נכשלה.",
      unreadable: "לא ניתן לקריאה.",
      undoing: "מתבצע ביטול…",
      undone: "בוטל. הקבצים החדשים באשפה, ולקבצים ששונו חזר הטקסט הקודם.",
      undoFailed: "לא הכול בוטל. בדקו בתיקייה ובאשפה.",
    },
  },
};

import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/shares.ts";
import { counted } from "#app/i18n/he/counted.ts";
import { isolateLtr } from "#app/i18n/isolate.ts";

export const shares: typeof english.shares = {
  title: "שיתופים",
  lead: "כל מה שפתחתם לציבור. כל מי שיש בידו כתובת יכול לצפות; כתובת שבוטלה מפסיקה לפעול מיד.",
  emptyTitle: "אין שיתופים",
  empty: "פתחו קובץ ובחרו ״שיתוף״, או סמנו כמה קבצים ברשימה כדי לשתף אותם בקישור אחד.",
  toFiles: "לקבצים שלכם",
  share: "שיתוף",
  shareChosen: "שיתוף בקישור",
  shareTitle: (name: string) => `שיתוף ${isolateLtr(name)}`,
  shareLead: (version: number) =>
    `גרסה ${version} תיפתח לציבור בכתובת משלה. עריכות, שינויי שם וגרסאות חדשות לא ישנו את מה שרואים בה.`,
  what: "מה יוצג",
  modes: { full: "הטקסט כולו", preview: "טעימה: השורות הראשונות" },
  lines: "שורות",
  linesHint: "טווח כמו 4-8, או ריק לכל השורות.",
  lifetime: "פתוח לציבור למשך",
  days: (count: number) =>
    count === 1 ? "יום אחד" : count < 11 ? `${amount(count)} ימים` : `${amount(count)} יום`,
  forGood: "ללא הגבלה",
  maxViews: "מספר צפיות מרבי",
  maxViewsHint: "ריק: ללא הגבלה.",
  password: "סיסמה",
  passwordHint: "לפחות 6 תווים. היא אינה נשמרת בצורה קריאה: מסרו אותה לקוראים בעצמכם.",
  make: "פתיחה לציבור",
  cancel: "ביטול",
  made: (count: number, name?: string) =>
    count === 1 && name
      ? `${isolateLtr(name)} פתוח עכשיו לציבור`
      : `${amount(count)} קבצים פתוחים לציבור בקישור אחד`,
  revoked: "השיתוף בוטל",
  address: (name: string) => `הכתובת של ${isolateLtr(name)}`,
  open: "פתיחה",
  revoke: "ביטול השיתוף",
  revokeSure: "ביטול לצמיתות",
  until: "עד",
  since: "שותף",
  views: "צפיות",
  viewsOf: (views: number, left: number | null) =>
    left === null ? `${amount(views)}` : `${amount(views)}, נותרו ${amount(left)}`,
  version: (n: number) => `גרסה ${n}`,
  range: (range: string) => `שורות ${isolateLtr(range)}`,
  preview: "טעימה",
  protected: "סיסמה",
  several: counted("קובץ אחד", "קבצים"),
  usedUp: "נוצל: אי אפשר לפתוח אותו עוד.",
  suspended: "מושהה: הקובץ בסל המיחזור.",
  partly: (living: number, all: number) => `מוצגים ${living} מתוך ${all} קבצים; האחרים בסל המיחזור.`,
  shared: "קובץ משותף",
  sharedMany: counted("קובץ משותף אחד", "קבצים משותפים"),
  lockedTitle: "קובץ משותף",
  lockedPassword: "הוא מוגן בסיסמה. מי שמסר לכם את הכתובת יוכל למסור גם אותה.",
  lockedViews: (left: number) =>
    left === 1
      ? "אפשר לפתוח אותו עוד פעם אחת. הפתיחה תנצל אותה."
      : `אפשר לפתוח אותו עוד ${amount(left)} פעמים. כל פתיחה מנצלת אחת מהן.`,
  openIt: "פתיחה",
  previewNote: "זוהי טעימה: שותפה רק ההתחלה.",
  publicUntil: "פתוח לציבור עד",
  raw: "טקסט גולמי",
  save: "שמירה בספרייה שלי",
  logInToSave: "כניסה כדי לשמור",
  yours: "זה שיתוף שלכם. הצפיות שלכם אינן נספרות.",
  toShares: "השיתופים שלכם",
  zip: "הורדה כ־zip",
  back: (count: number) => `לכל ${amount(count)} הקבצים`,
};

import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/tokens.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const tokens: typeof english.tokens = {
  title: "אסימוני גישה",
  lead: "כדי שסקריפט או סוכן ישתמשו בספרייה שלכם. גישה ל־API בלבד, ללא הרשאות ניהול.",
  docs: "תיעוד ה־API",
  make: "יצירת אסימון",
  name: "שם",
  nameHint: "למה הוא משמש?",
  scope: "הרשאה",
  scopes: { read: "קריאה", write: "קריאה וכתיבה" },
  lifetime: "תוקף",
  days: (count: number) => `${amount(count)} ${count > 10 ? "יום" : "ימים"}`,
  forGood: "ללא הגבלה",
  secret: "אסימון חדש",
  once: "העתיקו את האסימון עכשיו. הוא לא יוצג שוב.",
  tryIt: "להצגת הקבצים עם curl:",
  firstRequest: "פקודת curl",
  commandLine: "לשימוש בשורת הפקודה (דורש Node), הריצו את זה והדביקו את האסימון כשתתבקשו:",
  login: "פקודת התחברות",
  terminal: "שורת הפקודה",
  terminalHint:
    "שמירה, חיפוש, סנכרון והרצה של קבצים מהמסוף. הפקודה מורידה קובץ אחד שדורש Node 20, ומבקשת אסימון:",
  yours: "האסימונים שלכם",
  none: "אין עדיין אסימונים.",
  created: "נוצר",
  lastUse: "שימוש אחרון",
  never: "אף פעם",
  expires: "בתוקף עד",
  revoke: "השבתה",
  revokeLabel: (name) => `השבתה: ${isolate(name)}`,
  revokeSure: "השבתת האסימון",
  revoked: "האסימון הושבת",
  fileManager: "פתיחה במנהל הקבצים או בעורך",
  fileManagerHint: "התחברו לכתובת WebDAV הזאת, עם שם משתמש כלשהו ועם אסימון בתור סיסמה.",
  fileManagerAddress: "כתובת WebDAV",
};

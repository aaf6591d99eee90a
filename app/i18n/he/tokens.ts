import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/tokens.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const tokens: typeof english.tokens = {
  title: "אסימוני גישה",
  lead: "אסימון מאפשר לסקריפט או לסוכן לעבוד עם הספרייה שלכם דרך ה־API. הוא אינו פותח דפים ואינו נותן גישה לניהול המערכת.",
  docs: "מה ה־API מציע",
  make: "יצירת אסימון",
  name: "שם",
  nameHint: "למה הוא משמש, כדי שתזהו אותו בהמשך.",
  scope: "מה מותר לו",
  scopes: { read: "קריאה", write: "קריאה ושינוי" },
  lifetime: "תקף למשך",
  days: (count: number) => `${amount(count)} ימים`,
  forGood: "ללא הגבלה",
  secret: "האסימון החדש",
  once: "זהו האסימון. הוא מוצג פעם אחת בלבד: העתיקו אותו עכשיו ושמרו עליו.",
  yours: "האסימונים שלכם",
  none: "אין לכם אסימונים.",
  created: "נוצר",
  lastUse: "שימוש אחרון",
  never: "טרם",
  expires: "פג",
  revoke: "ביטול",
  revokeOf: (name) => `ביטול ${isolate(name)}`,
  revoked: "האסימון בוטל",
};

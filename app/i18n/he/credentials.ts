import type * as english from "#app/i18n/en/credentials.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const credentials: typeof english.credentials = {
  title: "התחברויות וגישה",
  lead: "כל מה שיכול לפתוח את החשבון שלכם או לפעול בשמו. בטלו את מה שאינכם מזהים.",
  groups: {
    session: "התחברויות",
    token: "אסימוני גישה",
    feed: "תזכורות ביומן",
    device: "מכשירים להתראות",
    share_password: "סיסמאות של שיתופים",
  },
  hints: {
    session: "התחברות מסתיימת אחרי 30 ימים ללא שימוש.",
    share_password: "מי שהזינו את הסיסמה יכולים לפתוח את השיתוף במשך 12 שעות.",
  },
  manage: "ניהול",
  manageOf: (group) => `ניהול: ${group}`,
  feed: "ערוץ התזכורות",
  created: "נוצר",
  lastUse: "שימוש אחרון",
  never: "טרם",
  expires: "פג",
  ends: {
    session: "ניתוק",
    token: "ביטול",
    feed: "הסרה",
    device: "הסרה",
    share_password: "לבקש שוב",
  },
  endOf: (verb, name) => `${verb}: ${isolate(name)}`,
  ended: {
    session: "ההתחברות נותקה.",
    token: "האסימון בוטל.",
    feed: "הכתובת אינה פועלת עוד.",
    device: "המכשיר הוסר.",
    share_password: "כולם יתבקשו להזין שוב את הסיסמה.",
  },
  all: "ניתוק מכל מקום",
  allLead: "מבטל בבת אחת כל התחברות, אסימון, כתובת של ערוץ, מכשיר וסיסמת שיתוף. תנותקו גם כאן.",
  allSure: "ביטול כל הגישה",
};

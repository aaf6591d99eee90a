import type * as english from "#app/i18n/en/credentials.ts";
import { isolate } from "#app/i18n/isolate.ts";

export const credentials: typeof english.credentials = {
  title: "התחברויות וגישה",
  lead: "כל מה שיש לו גישה לחשבון שלכם. הסירו את מה שאינכם מזהים.",
  groups: {
    session: "התחברויות",
    token: "אסימוני גישה",
    feed: "תזכורות ביומן",
    device: "מכשירים",
    share_password: "סיסמאות של קישורים",
  },
  hints: {
    session: "התחברות מסתיימת אחרי 30 יום ללא שימוש.",
    share_password: "מי שהזינו את הסיסמה יכולים לפתוח את הקישור במשך 12 שעות.",
  },
  manage: "ניהול",
  manageLabel: (group) => `ניהול: ${group}`,
  feed: "כתובת התזכורות",
  created: "נוצר",
  lastUse: "שימוש אחרון",
  never: "אף פעם",
  expires: "בתוקף עד",
  ends: {
    session: "ניתוק",
    token: "השבתה",
    feed: "הסרה",
    device: "הסרה",
    share_password: "בקשה מחדש",
  },
  endLabel: (verb, name) => `${verb}: ${isolate(name)}`,
  ended: {
    session: "ההתחברות נותקה",
    token: "האסימון בוטל",
    feed: "הכתובת הוסרה",
    device: "המכשיר הוסר",
    share_password: "תידרש הזנה מחדש של הסיסמה",
  },
  all: "ניתוק מכל מקום",
  allLead: "מבטל את כל ההתחברויות, האסימונים, כתובות היומן, המכשירים וסיסמאות הקישורים, כולל ההתחברות הזאת.",
  allSure: "ביטול כל הגישה",
};

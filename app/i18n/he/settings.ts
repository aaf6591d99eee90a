import { amount } from "#app/i18n/amount.ts";
import type * as english from "#app/i18n/en/settings.ts";

export const settings: typeof english.settings = {
  title: "הגדרות",
  display: "מראה",
  zone: "אזור זמן",
  zoneLead: "לתזכורות.",
  keys: "קיצורי מקלדת",
  keysLead: "למשל / לחיפוש.",
  keysOn: "פועלים",
  keysOff: "כבויים",
  more: "הגדרות נוספות",
  places: {
    devices: { name: "התראות", words: "מכשירים שמקבלים תזכורות." },
    feeds: { name: "תזכורות ביומן", words: "תזכורות ביומן או בקורא עדכונים." },
    tokens: { name: "אסימוני גישה", words: "לסקריפטים ולסוכנים." },
    "sign-in": { name: "כניסה ואבטחה", words: "דרכי כניסה, התחברויות, אסימונים ומכשירים." },
    export: { name: "ייצוא וייבוא", words: "הספרייה שלכם כקובץ zip." },
    delete: { name: "מחיקת החשבון", words: "מחיקה של הכול לצמיתות." },
  },
  back: "כל ההגדרות",
  agent: "הנחיות לסוכנים",
  agentLead: "סוכנים קוראים את זה לפני שהם עובדים עם הספרייה. הם מקבלים את זה מ־‎/api/agent/primer‎.",
  agentField: "הנחיות",
  agentMeter: "נפח בשימוש",
  agentSave: "שמירת ההנחיות",
  agentSecrets: "סיסמאות ומפתחות מוסרים לפני שסוכן קורא את זה.",

  here: "הדפדפן הזה",
  endOthers: "ניתוק ההתחברויות האחרות",
  onlyHere: "אין התחברויות אחרות.",
  sessionsEnded: (count) =>
    count === 0
      ? "אין התחברויות אחרות"
      : count === 1
        ? "התחברות אחת נותקה"
        : `${amount(count)} התחברויות נותקו`,
  said: { instructions: "ההנחיות נשמרו", deleted: "החשבון נמחק" },

  exportTitle: "ייצוא וייבוא",
  exportHead: "ייצוא",
  exportLead: "קבצים עם כל הגרסאות, אשפה, פתקים, לוחות, תזכורות והגדרות.",
  exportSecrets: "לא כולל: אסימונים, מכשירים, כתובות היומן, קישורים והתחברויות.",
  exportAction: "הורדת קובץ ה־zip",

  deleteTitle: "מחיקת החשבון",
  deleteLead: "הפעולה מוחקת לצמיתות:",
  deleteWhat: [
    "את כל הקבצים, הגרסאות והאשפה",
    "את כל הפתקים, הלוחות והתזכורות",
    "את כל הקישורים, האסימונים, כתובות היומן והמכשירים",
    "את ההגדרות והשם שלכם",
  ],
  deleteFirst: "אי אפשר לבטל את הפעולה. כדאי לייצא קודם את הספרייה.",
  deleteExport: "ייצוא הספרייה",
  deleteField: (word) => `לאישור, הקלידו ״${word}״`,
  deleteWord: "מחיקת החשבון שלי",
  deleteAction: "מחיקת החשבון שלי",
};
